// Buffers over time: a row for each buffer, from its allocation to its deallocation, along the lines of the function.

class BuffersView {
  constructor() {
    this.element = el("div.scroll");
    this.search("");
  }
  search(query) {
    const { stage, list } = DATA.buffers;
    const words = query.toLowerCase();
    const fits = (buffer) => !words || (buffer.type + " " + buffer.by).toLowerCase().includes(words);
    let shown = 0;
    const parts = list.flatMap((one) => {
      const buffers = one.buffers.filter(fits);
      shown += buffers.length;
      return buffers.length ? this.chart(one, buffers, stage) : [];
    });
    const swatch = (kind, text) => el("span.swatch", {}, el("i." + kind), text);
    const legend = el("p.legend", {}, swatch("used", "from the allocation to the last use"), swatch("life", "until it is freed; on the stack, to the end of the function"),
      swatch("kept", "given to the caller"), el("span", {}, `Lines are those of ${stageName(stage)}; a click shows them.`));
    this.element.replaceChildren(legend, ...parts);
    return query ? `${count(shown)} buffers` : "";
  }
  chart({ function: name, lines: [first, last], peak }, buffers, stage) {
    const most = 400, left = 330, height = 18, top = peak ? 76 : 22;
    const width = Math.max(420, (byId("view").clientWidth || 1000) - left - 70);
    const span = Math.max(1, last - first);
    const x = (line) => left + ((line - first) / span) * width;
    const rows = buffers.slice(0, most);
    const svg = svgEl("svg", { width: left + width + 30, height: top + rows.length * height + 8, class: "buffers" });
    if (peak) svg.append(this.memory(buffers, first, last, peak, x));
    rows.forEach((_, at) => at % 2 || svg.append(svgEl("rect", { x: 0, y: top + at * height, width: left + width, height, class: "stripe" })));
    for (const line of [0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(first + part * span))) {
      svg.append(svgEl("text", { x: x(line), y: top - 6, class: "axis", "text-anchor": "middle" }, String(line + 1)));
    }
    rows.forEach((buffer, at) => {
      const y = top + at * height;
      const end = buffer.free ?? last;
      const row = svgEl("g", { class: "row" });
      const title = `${buffer.by} : ${buffer.type}\nallocated on line ${buffer.alloc + 1}, last used on ${buffer.last + 1}, ` +
        (buffer.stack ? "on the stack" : buffer.free == null ? "not freed here" : `freed on ${buffer.free + 1}`) + `\n${buffer.uses} uses, ${bytesText(buffer.bytes)}` +
        (buffer.depth ? `, inside ${buffer.depth} regions` : "");
      const label = buffer.type.length > 36 ? buffer.type.slice(0, 35) + "…" : buffer.type;
      row.append(svgEl("title", {}, title));
      row.append(svgEl("text", { x: 0, y: y + 12 }, label), svgEl("text", { x: left - 10, y: y + 12, class: "axis", "text-anchor": "end" }, bytesText(buffer.bytes)));
      row.append(svgEl("rect", { x: x(buffer.alloc), y: y + 2, width: Math.max(2, x(end) - x(buffer.alloc)), height: height - 4, rx: 2, class: buffer.free == null && !buffer.stack ? "kept" : "life" }));
      row.append(svgEl("rect", { x: x(buffer.alloc), y: y + 2, width: Math.max(2, x(buffer.last) - x(buffer.alloc)), height: height - 4, rx: 2, class: "used" }));
      row.addEventListener("click", () => openTab("code").showStageLine(stage, buffer.alloc));
      svg.append(row);
    });
    const title = `@${name}: ${count(buffers.length)} ${buffers.length === 1 ? "buffer" : "buffers"}` + (peak ? `, at most ${bytesText(peak)} of static size at once` : "");
    const rest = buffers.length > most ? [el("p.note", {}, `${count(buffers.length - most)} more; search narrows them`)] : [];
    return [el("h3", {}, title), svg, ...rest];
  }
  // The bytes of static size that are alive on each line.
  memory(buffers, first, last, peak, x) {
    const events = buffers.filter((buffer) => buffer.bytes).flatMap(({ alloc, free, bytes }) => [[alloc, bytes], [free ?? last, -bytes]]);
    events.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const base = 58, y = (bytes) => base - (44 * bytes) / Math.max(1, peak);
    let alive = 0, path = `M ${x(first)} ${base}`;
    for (const [line, change] of events) {
      path += ` L ${x(line)} ${y(alive)}`;
      alive += change;
      path += ` L ${x(line)} ${y(alive)}`;
    }
    path += ` L ${x(last)} ${base} Z`;
    const area = svgEl("path", { d: path, class: "area" });
    area.append(svgEl("title", {}, "bytes of static size that are alive"));
    return area;
  }
}
