// Panes with source files, stages and machine code. Lines from the same source lines light up together.

const LINE = 18;
const CONTEXT = 3;
const TOKEN = /(\/\/.*$|^\s*[;#].*$)|("(?:[^"\\]|\\.)*")|([%^][\w$.#-]+)|(@[\w$.-]+)|(^\s*(?:[%\w$#:, .-]+ = )?"?)([a-z_][\w]*(?:\.[\w]+)+)/g;
// Words of the source languages, and instructions and directives of machine code.
const WORDS = {
  ks: /(;.*$|#\|.*?\|#)|("(?:[^"\\]|\\.)*")|(\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b)|\b(Float|Integer|Bool|String|Vec|Tensor|Tuple|Dist|LM)\b|((?<=\()(?:def|edef|gdef|rule|let|lam|if|assert|tuple|build|sumbuild|fold|index|size|sum|constVec|deltaVec)\b)/g,
  relay: /(\/\/.*$|\/\*.*?\*\/|^\s*#\[.*$)|("(?:[^"\\]|\\.)*")|(\b\d+(?:\.\d+)?(?:e[+-]?\d+)?[fd]?(?:16|32|64)?\b)|\b(Tensor|Tuple|bool|float(?:16|32|64)|bfloat16|u?int(?:8|16|32|64))\b|\b(def|let|fn|if|else|match|type|extern|True|False)\b|(%[\w./]+)|(@\w+)/g,
  iexpr: /(#.*$)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\b\d+\b)|\b(I)\b|(>>|&|\b(?:i|rev)(?=\())/g,
  asm: /([#;].*$|\/\/.*$)|("(?:[^"\\]|\\.)*")|((?<![\w.])\$?-?(?:0x[\da-fA-F]+|\d+)\b)|(^\s*\.[\w.]+|^[\w.$@]+:)|(^\s+[a-z][\w.]*)|(%[a-z]\w*)/g,
};
const WORD_CLASSES = ["c", "s", "n", "t", "k", "v", "y"];
const FUNCTION = /^\s*(?:[\w.]*func[\w.]*|define)\b.*@/;

// The source lines that light up, and whether a click fixed them.
const hot = { keys: new Set(), pinned: false };

// A line with spaces up to the next column of eight in place of each tab.
function spaced(line) {
  if (!line.includes("\t")) return line;
  let text = "";
  for (const part of line.split(/(\t)/)) text += part === "\t" ? " ".repeat(8 - (text.length % 8)) : part;
  return text;
}

class Pane {
  constructor(view, what, changes) {
    this.view = view;
    this.changes = changes || false;
    this.list = new RowList("div.list", LINE, (row) => this.row(row));
    this.list.ondraw = () => this.ticks();
    this.select = el("select", { title: "What this pane shows", onchange: () => this.set(this.select.value) });
    this.toggle = el("button", { title: "Changes by this stage (d)", onclick: () => this.setChanges(!this.changes) }, "±");
    const add = el("button", { title: "Another pane", onclick: () => view.add(this.what) }, "+");
    this.closer = el("button", { title: "Close this pane", onclick: () => view.close(this) }, "×");
    this.canvas = el("canvas.ticks");
    this.element = el("div.pane", { onpointerdown: () => view.focus(this) },
      el("div.bar", {}, this.select, this.toggle, add, this.closer), this.list.element, this.canvas);
    this.fill();
    this.set(what);
  }
  fill() {
    const group = (label, options) => options.length && this.select.append(el("optgroup", { label }, ...options));
    const files = DATA.files.map((file, at) => file.lines && el("option", { value: "file:" + at }, file.name));
    group("Source", files.filter(Boolean));
    DATA.phases.forEach((phase, number) => {
      const stages = DATA.stages.map((stage, at) => stage.phase === number && stage.kind !== "code" && el("option", { value: "stage:" + at }, stageName(at)));
      group(phase, stages.filter(Boolean));
    });
    const code = DATA.stages.map((stage, at) => stage.kind === "code" && el("option", { value: "stage:" + at }, stage.name));
    group("Code", code.filter(Boolean));
  }
  set(what) {
    this.what = what;
    this.select.value = what;
    const [kind, number] = what.split(":");
    this.stage = kind === "stage" ? DATA.stages[number] : null;
    this.doc = this.stage ? textOf(this.stage.after) : FILES[number];
    this.value = null;
    this.found = null;
    this.toggle.disabled = !this.stage || !this.stage.changed;
    this.build();
    this.view.searched(this);
    this.view.changed();
  }
  setChanges(changes) {
    this.changes = changes;
    const line = this.topLine();
    this.build();
    if (line != null) this.showLine(line);
    this.view.searched(this);
  }
  topLine() {
    const row = this.rowData(Math.floor((this.list.element.scrollTop * this.list.scale) / LINE));
    return row && row.line;
  }
  // The rows of the changes: changed lines with context; without changes, all lines.
  build() {
    this.rows = null;
    this.lineClass = new Map();
    const difference = this.stage && this.stage.changed ? this.stage.difference : null;
    this.toggle.classList.toggle("on", this.changes && !!difference);
    if (difference) {
      for (const [, , first, added] of difference.hunks) for (let at = 0; at < added; at++) this.lineClass.set(first + at, "added");
      for (const [, line] of difference.rewired) this.lineClass.set(line, "rewired");
    }
    if (difference && this.changes) this.rows = this.changedRows(difference);
    this.hotLines = null;
    this.list.setCount(this.rows ? this.rows.length : this.doc.length);
  }
  changedRows({ hunks, rewired }) {
    const parts = hunks.map(([from, removed, to, added]) => ({ from, removed, to, added }));
    parts.push(...rewired.map(([from, to]) => ({ from, removed: 1, to, added: 1, rewired: true })));
    parts.sort((a, b) => a.to - b.to || a.from - b.from);
    const rows = [];
    let next = 0;
    const same = (end, last) => {
      const start = next;
      const before = rows.length ? CONTEXT : 0, after = last ? 0 : CONTEXT;
      if (end - start > before + after + 1) {
        for (let at = start; at < start + before; at++) rows.push({ line: at });
        rows.push({ fold: [start + before, end - after] });
        for (let at = end - after; at < end; at++) rows.push({ line: at });
      } else for (let at = start; at < end; at++) rows.push({ line: at });
    };
    for (const { from, removed, to, added, rewired } of parts) {
      same(to);
      for (let at = 0; at < removed; at++) rows.push({ old: from + at });
      for (let at = 0; at < added; at++) rows.push({ line: to + at, sign: rewired ? "~" : "+" });
      next = to + added;
    }
    same(this.doc.length, true);
    return rows;
  }
  unfold(at) {
    const [start, end] = this.rows[at].fold;
    const lines = Array.from({ length: end - start }, (_, index) => ({ line: start + index }));
    // Spreading many lines as arguments would overflow the stack.
    this.rows = this.rows.slice(0, at).concat(lines, this.rows.slice(at + 1));
    this.list.setCount(this.rows.length);
  }
  rowData(row) { return this.rows ? this.rows[row] : { line: row }; }
  docOf(row) { return row.old == null ? [this.doc, row.line] : [textOf(this.stage.before), row.old]; }
  row(at) {
    const row = this.rowData(at);
    if (row.fold) {
      const [start, end] = row.fold;
      return el("div.code.fold", { onclick: () => this.unfold(at) }, el("span.no", {}, "⋯"), `${count(end - start)} unchanged lines`);
    }
    const [doc, line] = this.docOf(row);
    const places = doc.places(line);
    const made = el("div.code", { onmouseenter: () => this.view.light(places), onclick: (event) => this.click(event, at, places) });
    const kind = row.old != null ? "removed" : this.lineClass.get(line);
    if (kind) made.classList.add(kind);
    if (places.some((key) => hot.keys.has(key))) made.classList.add(hot.pinned ? "pin" : "hot");
    if (this.current === at) made.classList.add("current");
    if (this.found && this.found.set.has(at)) made.classList.add("found");
    made.append(el("span.no", {}, row.old == null ? line + 1 : ""));
    if (this.rows) made.append(el("span.sign", {}, row.old != null ? "−" : row.sign || ""));
    made.append(this.text(doc.line(line), line));
    if (places.length) made.title = places.map((key) => DATA.files[Math.floor(key / 0x4000000)].name + ":" + (key % 0x4000000)).join(", ");
    return made;
  }
  // The words of a line that are not MLIR's text.
  words(line, language) {
    const text = el("span.text");
    let end = 0;
    for (const match of line.matchAll(WORDS[language])) {
      const kind = match.slice(1).findIndex((part) => part != null);
      text.append(line.slice(end, match.index), el("span." + WORD_CLASSES[kind], {}, match[0]));
      end = match.index + match[0].length;
    }
    text.append(line.slice(end));
    return text;
  }
  // The language of the text that is not MLIR's.
  language() {
    if (this.stage) return this.stage.kind === "code" && this.stage.name === "assembly" ? "asm" : null;
    const name = DATA.files[Number(this.what.split(":")[1])].name;
    const end = name.slice(name.lastIndexOf(".") + 1);
    return end === "rly" ? "relay" : Object.hasOwn(WORDS, end) ? end : null;
  }
  text(line, number) {
    line = spaced(line);
    const language = this.language();
    if (language) return this.words(line, language);
    const text = el("span.text");
    const isFile = !this.stage;
    let end = 0;
    for (const match of line.matchAll(TOKEN)) {
      const [whole, comment, string, value, symbol, lead, op] = match;
      if (comment && this.stage && this.stage.kind !== "code" && /^\s*#/.test(comment)) continue;
      text.append(line.slice(end, match.index));
      end = match.index + whole.length;
      if (op) {
        this.leading(text, lead);
        text.append(el("span.o", {}, op));
      } else if (value && !isFile) {
        const name = value.replace(/#\d+$/, "");
        const same = this.value && this.value.name === name && number >= this.value.start && number < this.value.end;
        text.append(el(same ? "span.v.same" : "span.v", {}, value));
      } else text.append(el(comment ? "span.c" : string ? "span.s" : symbol ? "span.y" : "span.v", {}, whole));
    }
    text.append(line.slice(end));
    return text;
  }
  leading(text, lead) {
    let end = 0;
    for (const match of lead.matchAll(/[%^][\w$.-]+/g)) {
      text.append(lead.slice(end, match.index), el("span.v", {}, match[0]));
      end = match.index + match[0].length;
    }
    text.append(lead.slice(end));
  }
  click(event, at, places) {
    if (event.target.classList.contains("v")) {
      const line = this.rowData(at).line;
      const name = event.target.textContent.replace(/#\d+$/, "");
      this.value = line == null || (this.value && this.value.name === name) ? null : { name, ...this.functionAround(line) };
      this.list.refresh();
      return;
    }
    this.current = at;
    this.view.pin(places, this);
  }
  functionAround(line) {
    let start = line, end = line + 1;
    while (start > 0 && !FUNCTION.test(this.doc.line(start))) start--;
    while (end < this.doc.length && !FUNCTION.test(this.doc.line(end))) end++;
    return { start, end };
  }
  // Lines that light up have changed.
  lit(scroll) {
    this.hotLines = null;
    if (scroll) {
      const lines = this.lit_lines();
      if (lines.length) this.showLine(lines[0]);
    }
    this.list.refresh();
  }
  lit_lines() { return this.hotLines || (this.hotLines = hot.keys.size ? this.doc.linesAt(hot.keys) : []); }
  rowOf(line) {
    if (!this.rows) return line;
    const at = this.rows.findIndex((row) => row.line === line || (row.fold && line >= row.fold[0] && line < row.fold[1]));
    return at < 0 ? 0 : at;
  }
  showLine(line) { this.list.show(this.rowOf(line)); }
  // Marks beside the scroll bar.
  ticks() {
    const { canvas } = this, { clientHeight, offsetTop, offsetHeight, clientWidth, offsetWidth } = this.list.element;
    canvas.style.top = offsetTop + "px";
    canvas.style.right = offsetWidth - clientWidth + "px";
    if (canvas.height !== clientHeight) [canvas.width, canvas.height] = [8, clientHeight];
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, 8, canvas.height);
    const count = Math.max(1, this.list.count);
    const mark = (row, color, x, width) => {
      context.fillStyle = color;
      context.fillRect(x, Math.floor((row / count) * clientHeight), width, 2);
    };
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name);
    const colors = { added: color("--pass"), rewired: color("--accent") };
    if (!this.rows) for (const [line, kind] of this.lineClass) mark(line, colors[kind], 0, 3);
    const found = color("--miss");
    if (this.found) for (const row of this.found.rows) mark(row, found, 3, 5);
    const lit = color("--live");
    if (!this.rows) for (const line of this.lit_lines()) mark(line, lit, 3, 5);
  }
  search(query) {
    this.found = null;
    if (query) {
      const rows = [], lower = query.toLowerCase();
      for (let at = 0; at < this.list.count; at++) {
        const row = this.rowData(at);
        if (row.fold) continue;
        const [doc, line] = this.docOf(row);
        if (doc.line(line).toLowerCase().includes(lower)) rows.push(at);
      }
      this.found = { rows, set: new Set(rows) };
    }
    this.list.refresh();
  }
  next(step) {
    const rows = this.found ? this.found.rows : [];
    if (!rows.length) return;
    const here = this.current ?? -1;
    const after = rows.findIndex((row) => row > here);
    let at = step > 0 ? after : (after < 0 ? rows.length : after) - (rows.includes(here) ? 2 : 1);
    if (at < 0) at = step > 0 ? 0 : rows.length - 1;
    this.current = rows[at];
    this.list.show(this.current);
    this.list.refresh();
    return at;
  }
}

class CodeView {
  constructor() {
    this.element = el("div.panes");
    this.panes = [];
    this.query = "";
    const file = DATA.files.findIndex((file) => file.lines);
    const code = DATA.stages.findLastIndex((stage) => stage.kind === "code");
    if (file >= 0) {
      // A comment comes first; the function that was compiled says more.
      const pane = this.add("file:" + file);
      const entry = DATA.title.split(" of ")[0];
      const line = DATA.files[file].lines.findIndex((text) => /^\s*(\(def|def|[\w.]*func[\w.]*)\b/.test(text) && text.split(/[^\w$.]+/).includes(entry));
      if (line > 30) requestAnimationFrame(() => pane.showLine(line));
    }
    this.main = this.add("stage:" + selected.stage);
    if (code >= 0 && code !== selected.stage) {
      // Constants and directives come first.
      const pane = this.add("stage:" + code), { doc } = pane;
      let line = 0;
      while (line < doc.length && !doc.places(line).length) line++;
      if (line < doc.length) requestAnimationFrame(() => pane.showLine(line));
    }
    this.focus(this.main);
    this.element.addEventListener("mouseleave", () => this.light([]));
  }
  add(what) {
    const pane = new Pane(this, what, selected.changes);
    this.panes.push(pane);
    this.element.append(pane.element);
    this.panes.forEach((pane) => (pane.closer.disabled = this.panes.length < 2));
    return pane;
  }
  close(pane) {
    if (this.panes.length < 2) return;
    this.panes = this.panes.filter((other) => other !== pane);
    pane.element.remove();
    if (this.main === pane) this.main = this.panes[this.panes.length - 1];
    this.focus(this.panes[0]);
    this.panes.forEach((pane) => (pane.closer.disabled = this.panes.length < 2));
  }
  focus(pane) {
    this.focused = pane;
    this.panes.forEach((other) => other.element.classList.toggle("focus", other === pane));
  }
  // Shows a stage, in the pane that has shown stages so far.
  show(stage) {
    if (this.main.what !== "stage:" + stage) this.main.set("stage:" + stage);
  }
  changed() {
    if (!this.main || !this.main.stage || this.main.stage.kind === "code") return;
    const number = Number(this.main.what.split(":")[1]);
    if (number !== selected.stage) selectStage(number);
  }
  light(keys) {
    if (hot.pinned) return;
    if (!keys.length && !hot.keys.size) return;
    hot.keys = new Set(keys);
    this.panes.forEach((pane) => pane.lit());
  }
  pin(keys, from) {
    hot.pinned = keys.length > 0;
    hot.keys = new Set(keys);
    this.panes.forEach((pane) => pane.lit(pane !== from));
  }
  unpin() {
    hot.pinned = false;
    hot.keys = new Set();
    this.panes.forEach((pane) => { pane.value = null; pane.lit(); });
  }
  // Shows a source line in all panes.
  showPlace(file, line) {
    this.pin([placeKey(file, line)], null);
  }
  showStageLine(stage, line) {
    selectStage(stage);
    this.main.showLine(line);
    this.main.current = this.main.rowOf(line);
    this.pin(this.main.doc.places(line), this.main);
  }
  searched(pane) { if (this.query) pane.search(this.query); }
  search(query) {
    this.query = query;
    this.panes.forEach((pane) => { pane.current = undefined; pane.search(query); });
    const pane = this.panes.includes(this.focused) && this.focused.found && this.focused.found.rows.length
      ? this.focused : this.panes.find((pane) => pane.found && pane.found.rows.length);
    if (pane) this.focus(pane);
    return this.next(1);
  }
  next(step) {
    if (!this.query) return "";
    const at = this.focused.next(step);
    const all = this.panes.reduce((sum, pane) => sum + pane.found.rows.length, 0);
    return at == null ? `${count(all)} hits` : `${count(at + 1)} of ${count(this.focused.found.rows.length)}`;
  }
  refresh() { this.panes.forEach((pane) => pane.list.draw()); }
  toggleChanges() {
    const pane = this.focused && this.focused.stage ? this.focused : this.main;
    pane.setChanges(!pane.changes);
    if (pane === this.main) selected.changes = pane.changes;
  }
}
