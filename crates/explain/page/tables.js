// Tables of passes, remarks and kernels.

class PassesView {
  constructor() {
    const sum = DATA.stages.reduce((sum, stage) => sum + (stage.time || 0) + (stage.verifying || 0), 0);
    const longest = Math.max(1, ...DATA.stages.map((stage) => stage.time || 0));
    const columns = [
      ["#", (_, at) => at], ["Stage", (stage) => stage.name], ["Time", (stage) => stage.time || 0], ["", (stage) => stage.time || 0],
      ["Share", (stage) => stage.time || 0], ["Verifier", (stage) => stage.verifying || 0],
      ["Memory", (stage) => stage.memory || 0], ["Operations", (stage) => DATA.texts[stage.after].o],
      ["Changes", (stage) => stage.difference.added + stage.difference.removed + stage.difference.rewired.length], ["Statistics", (stage) => stage.statistics.length],
    ];
    const order = { by: 0, down: false };
    const body = el("tbody");
    const fill = () => {
      const rows = DATA.stages.map((stage, at) => [columns[order.by][1](stage, at), stage, at]);
      rows.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[2] - b[2]) * (order.down ? -1 : 1));
      body.replaceChildren(...rows.map(([, stage, at]) => this.row(stage, at, sum, longest)));
    };
    const head = el("tr", {}, ...columns.map(([name], by) => el(by > 1 && by < 9 && by !== 3 ? "th.sortable.num" : "th.sortable", {
      onclick: () => { order.down = order.by === by ? !order.down : by > 1; order.by = by; fill(); },
    }, name)));
    fill();
    const title = `${DATA.stages.filter((stage) => stage.kind === "pass").length} passes, ${seconds(sum)} in passes and verifier`;
    this.element = el("div.scroll", {}, el("h3", {}, title), this.chart(), el("table", {}, el("thead", {}, head), body),
      el("p.note", { style: "padding: 10px 0" }, "Times of nested pipelines are sums over the operations. Memory is the resident memory of the process after the pass, without what this page took."));
  }
  // A bar for the time of each stage, on a scale of square roots, and a line for the number of operations.
  chart() {
    const stages = DATA.stages, width = 1060, height = 120, top = 14, step = width / stages.length;
    const longest = Math.max(1, ...stages.map((stage) => stage.time || 0));
    const ops = stages.map((stage) => (stage.kind === "code" ? null : DATA.texts[stage.after].o));
    const most = Math.max(1, ...ops.filter((number) => number != null));
    const svg = svgEl("svg", { viewBox: `0 0 ${width} ${height + top + 20}`, class: "chart" });
    const y = (number) => top + height - (height * number) / most;
    let path = "";
    stages.forEach((stage, at) => {
      const tall = height * Math.sqrt((stage.time || 0) / longest);
      const bar = svgEl("g", { class: "row" },
        svgEl("rect", { x: at * step, y: top, width: step, height, class: "back" }),
        svgEl("rect", { x: at * step + 1, y: top + height - tall, width: Math.max(1, step - 2), height: tall, rx: 1, class: stage.kind === "code" ? "codegen" : stage.changed ? "changed" : "same" }),
        svgEl("title", {}, `${stageName(at)}: ${seconds(stage.time) || "no time"}` + (ops[at] == null ? "" : `, ${count(ops[at])} operations`)));
      bar.addEventListener("click", () => { selectStage(at); openTab("code"); });
      svg.append(bar);
      if (ops[at] != null) path += `${path ? " L" : "M"} ${(at + 0.5) * step} ${y(ops[at])}`;
    });
    svg.append(svgEl("path", { d: path, class: "line" }));
    svg.append(svgEl("text", { x: 0, y: 10, class: "axis" }, `bars: time, at most ${seconds(longest)} (square roots); line: operations, at most ${count(most)}`));
    svg.append(svgEl("text", { x: 0, y: height + top + 15, class: "axis" }, stageName(0)));
    svg.append(svgEl("text", { x: width, y: height + top + 15, class: "axis", "text-anchor": "end" }, stageName(stages.length - 1)));
    return svg;
  }
  row(stage, at, sum, longest) {
    const { difference } = stage;
    const meter = el("div.meter");
    meter.style.width = (100 * (stage.time || 0)) / longest + "%";
    const link = el("button.link", { onclick: () => { selectStage(at); openTab("code"); } }, stageName(at));
    const statistics = stage.statistics.map(([name, value]) => `${name}: ${count(value)}`).join(", ");
    return el("tr", {}, el("td.num", {}, at + 1), el("td", {}, link), el("td.num", {}, seconds(stage.time)), el("td.bar", {}, meter),
      el("td.num", {}, stage.time && sum ? ((100 * stage.time) / sum).toFixed(1) + " %" : ""), el("td.num", {}, seconds(stage.verifying)),
      el("td.num", {}, stage.memory ? bytesText(stage.memory) : ""), el("td.num", {}, stage.kind === "code" ? "" : count(DATA.texts[stage.after].o)),
      el("td.num", {}, ...changes(difference, stage)), el("td", {}, statistics));
  }
}

function changes(difference, stage) {
  const parts = [];
  if (difference.added) parts.push(el("span.plus", {}, "+" + count(difference.added)));
  if (difference.removed) parts.push(el("span.minus", {}, "−" + count(difference.removed)));
  if (difference.rewired.length) parts.push(el("span.tilde", {}, "~" + count(difference.rewired.length)));
  if (stage.failed) parts.push(el("span.minus", {}, "failed"));
  return parts.flatMap((part, at) => (at ? [" ", part] : [part]));
}

class RemarksView {
  constructor() {
    this.kind = "";
    this.pass = "";
    this.query = "";
    this.list = new RowList("div.rows", 27, (at) => this.row(this.shown[at]));
    this.filters = el("div.filters", { style: "padding: 10px 18px 0" });
    this.element = el("div", { style: "display: flex; flex-direction: column; flex: 1; min-height: 0" }, this.filters, this.list.element);
    this.fill();
  }
  fill() {
    const words = this.query.toLowerCase();
    const fits = (remark) => (!this.kind || remark.kind === this.kind) && (!this.pass || remark.pass === this.pass) &&
      (!words || [remark.pass, remark.message, ...remark.notes].some((text) => text.toLowerCase().includes(words)));
    this.shown = DATA.remarks.filter(fits);
    const button = (label, on, act) => el(on ? "button.on" : "button", { onclick: () => { act(); this.fill(); } }, label);
    const kinds = [...new Set(DATA.remarks.map((remark) => remark.kind))];
    const passes = [...new Set(DATA.remarks.map((remark) => remark.pass).filter(Boolean))];
    this.filters.replaceChildren(
      button("all", !this.kind && !this.pass, () => (this.kind = this.pass = "")),
      ...kinds.map((kind) => button(kind, this.kind === kind, () => (this.kind = this.kind === kind ? "" : kind))),
      ...passes.map((pass) => button(pass, this.pass === pass, () => (this.pass = this.pass === pass ? "" : pass))));
    this.list.setCount(this.shown.length);
  }
  row(remark) {
    const { kind, pass, message, notes, place, stage } = remark;
    const where = place && el("button.link.mono", { onclick: () => { openTab("code").showPlace(place[0], place[1]); if (stage != null) selectStage(stage); } },
      `${DATA.files[place[0]].name}:${place[1]}`);
    const made = el("div.remark", { title: [message, ...notes].join("\n") }, el("span.kind." + kind, {}, kind), el("span.pass", {}, pass || ""),
      el("span.message", {}, message, notes.length ? el("span.notes", {}, " — " + notes.join("; ")) : null), el("span.where", {}, where || ""));
    made.style.height = "27px";
    return made;
  }
  search(query) {
    this.query = query;
    this.fill();
    return query ? `${count(this.shown.length)} of ${count(DATA.remarks.length)}` : "";
  }
  refresh() { this.list.draw(); }
}

class KernelsView {
  constructor() {
    this.body = el("div.scroll");
    this.element = this.body;
    this.search("");
  }
  search(query) {
    const { stage, list } = DATA.kernels;
    const words = query.toLowerCase();
    const fits = (kernel) => !words || JSON.stringify(kernel).toLowerCase().includes(words);
    const shown = list.filter(fits);
    const most = 300;
    this.body.replaceChildren(
      el("h3", {}, `${count(list.length)} kernels after ${stageName(stage)}`),
      el("div.cards", {}, ...shown.slice(0, most).map((kernel) => this.card(kernel, list.indexOf(kernel), stage))),
      shown.length > most ? el("p.note", {}, `${count(shown.length - most)} more; search narrows them`) : "");
    return query ? `${count(shown.length)} of ${count(list.length)}` : "";
  }
  card(kernel, at, stage) {
    const open = () => openTab("code").showStageLine(stage, kernel.line);
    const axis = ({ name, extent }) => el("span.axis-of", {}, el("b", {}, name), extent == null ? " dynamic" : " " + count(extent));
    const total = kernel.instructions == null ? [] : [`${count(kernel.instructions)} scalar instructions`];
    if (kernel.bytes) total.push(`${bytesText(kernel.bytes)} in and out`);
    if (kernel.instructions != null && kernel.bytes) total.push(`${(kernel.instructions / kernel.bytes).toFixed(2)} per byte`);
    const statements = kernel.statements.map((one) => el("tr", {}, el("td.mono", {}, one.name), el("td.mono", {}, one.access),
      el("td.mono", {}, one.reduced.join(", ")), el("td.num", {}, one.points == null ? "dynamic" : count(one.points)), el("td.num", {}, count(one.instructions))));
    const head = ["Statement", "Elements", "Reduces", "Points", "Instructions each"].map((name, at) => el(at > 2 ? "th.num" : "th", {}, name));
    const family = kernel.reasons.find((reason) => reason.startsWith("family: "));
    const reasons = kernel.reasons.filter((reason) => reason !== family);
    return el("div.card", {},
      el("div.title", {}, el("button.link", { onclick: open, title: `line ${kernel.line + 1} of the stage` }, `Kernel ${at + 1}`), el("span.of", {}, ` in @${kernel.function}`),
        family && el("span.tag", {}, family.slice("family: ".length)), kernel.plan ? null : el("span.tag.plain", {}, "loops of scalars")),
      el("p", {}, ...kernel.axes.map(axis)),
      kernel.plan ? planTree(kernel.plan) : null,
      el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...statements)),
      total.length ? el("p", {}, total.join(", ")) : null,
      el("p", {}, el("span.mono", {}, kernel.inputs.join(", ") || "no inputs"), " → ", el("span.mono", {}, kernel.outputs.join(", "))),
      reasons.length ? el("p.reasons", {}, reasons.join("; ")) : null);
  }
}

// A plan as a tree of loops, a line for each.
function planTree(plan) {
  const tree = el("pre.plan");
  let depth = 0;
  for (const part of plan.split(/(?<=\{)|(?=\})|(?<=\})|(?<=;)/).map((part) => part.trim()).filter(Boolean)) {
    if (part === "}") { depth--; continue; }
    const opens = part.endsWith("{");
    const text = opens ? part.slice(0, -1).trim() : part;
    const line = el("div", { style: `padding-left: ${depth * 18}px` });
    let end = 0;
    for (const match of text.matchAll(/\b(par|for|tail)\b|(\d+)([vu])\b/g)) {
      line.append(text.slice(end, match.index), el(match[1] ? "span.k" : "span.n", { title: match[3] === "v" ? "vectorized" : match[3] === "u" ? "unrolled" : match[1] === "par" ? "in parallel" : "" }, match[0]));
      end = match.index + match[0].length;
    }
    line.append(text.slice(end));
    tree.append(line);
    if (opens) depth++;
  }
  return tree;
}
