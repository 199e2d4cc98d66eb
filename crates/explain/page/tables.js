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
    this.element = el("div.scroll", {}, el("h3", {}, title), el("table", {}, el("thead", {}, head), body),
      el("p.note", { style: "padding: 10px 0" }, "Times of nested pipelines are sums over the operations. Memory is the resident memory of the process after the pass, without what this page took."));
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
    const made = el("div.remark", { title: [message, ...notes].join("\n") }, el("span.kind." + kind, {}, kind), " ",
      pass && el("b", {}, pass + ": "), message, notes.length ? el("span.notes", {}, " — " + notes.join("; ")) : null, "  ", where);
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
      ...shown.slice(0, most).map((kernel, at) => this.card(kernel, at, stage)),
      shown.length > most ? el("p.note", {}, `${count(shown.length - most)} more; search narrows them`) : "");
    return query ? `${count(shown.length)} of ${count(list.length)}` : "";
  }
  card(kernel, at, stage) {
    const open = () => openTab("code").showStageLine(stage, kernel.line);
    const extent = (axis) => `${axis.name} = ${axis.extent == null ? "?" : count(axis.extent)}`;
    const rate = kernel.instructions != null && kernel.bytes ? (kernel.instructions / kernel.bytes).toFixed(2) + " per byte" : "";
    const statements = kernel.statements.map((one) => el("tr", {}, el("td.mono", {}, one.name), el("td.mono", {}, one.access),
      el("td.mono", {}, one.reduced.join(", ")), el("td.num", {}, one.points == null ? "dynamic" : count(one.points)), el("td.num", {}, count(one.instructions))));
    const head = ["Statement", "Elements", "Reduces", "Points", "Instructions"].map((name, at) => el(at > 2 ? "th.num" : "th", {}, name));
    return el("div.card", {},
      el("b", {}, `@${kernel.function} `), el("button.link", { onclick: open }, `kernel ${at + 1}, line ${kernel.line + 1}`),
      el("p", {}, kernel.axes.map(extent).join("   ")),
      el("pre.plan", {}, kernel.plan || "no plan: loops of scalars"),
      el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...statements)),
      el("p", {}, `${kernel.instructions == null ? "dynamic" : count(kernel.instructions)} scalar instructions, ${bytesText(kernel.bytes)} in and out${rate && ", " + rate}`),
      el("p", {}, "inputs ", el("span.mono", {}, kernel.inputs.join(", ") || "none"), "; outputs ", el("span.mono", {}, kernel.outputs.join(", "))),
      ...kernel.reasons.map((reason) => el("p", {}, reason)));
  }
}
