// Data flow graphs. Positions are part of the data.

class GraphView {
  constructor() {
    this.entries = DATA.graphs.flatMap(({ stage, list }) => list.map((graph) => ({ stage, graph })));
    this.select = el("select", { "aria-label": "Function", onchange: () => this.draw(Number(this.select.value)) });
    this.entries.forEach(({ stage, graph }, at) => this.select.append(el("option", { value: at }, `@${graph.function} — ${stageName(stage)}`)));
    this.zoom = 1;
    this.frame = el("div.scroll");
    const zoom = (by) => () => { this.zoom = by ? Math.min(4, Math.max(0.1, this.zoom * by)) : this.fit(); this.size(); };
    this.info = el("span", { style: "color: var(--dim)" });
    const hidden = el("button", { title: "Shows or hides constants and their edges", onclick: () => {
      hidden.classList.toggle("on");
      this.frame.classList.toggle("constants", hidden.classList.contains("on"));
    } }, "constants");
    this.element = el("div", { style: "display: flex; flex-direction: column; flex: 1; min-height: 0" },
      el("div.filters", { style: "padding: 10px 18px 0; align-items: center" }, this.select, el("button", { onclick: zoom(1.25) }, "+"), el("button", { onclick: zoom(0.8) }, "−"), el("button", { onclick: zoom(0) }, "fit"), hidden, this.info),
      this.frame);
    // The largest graph of the last stage says most.
    const last = this.entries.reduce((best, { stage, graph }, at) => {
      const other = this.entries[best];
      return stage > other.stage || (stage === other.stage && graph.nodes.length > other.graph.nodes.length) ? at : best;
    }, 0);
    this.select.value = last;
    this.draw(last);
  }
  draw(at) {
    const { stage, graph } = this.entries[at];
    this.graph = graph;
    this.svg = svgEl("svg", { viewBox: `0 0 ${graph.width} ${graph.height}` });
    const edges = graph.edges.map((edge) => {
      const from = graph.nodes[edge.from], to = graph.nodes[edge.to];
      const y1 = from.y + 12, y2 = to.y - 12, bend = Math.max(14, (y2 - y1) / 2);
      const path = svgEl("path", { class: from.kind === "constant" ? "edge of-constant" : "edge", d: `M ${from.x} ${y1} C ${from.x} ${y1 + bend} ${to.x} ${y2 - bend} ${to.x} ${y2}` });
      path.append(svgEl("title", {}, edge.label));
      this.svg.append(path);
      return path;
    });
    this.nodes = graph.nodes.map((node, number) => {
      const group = svgEl("g", { class: "node " + node.kind },
        svgEl("rect", { x: node.x - node.width / 2, y: node.y - 12, width: node.width, height: 24, rx: node.kind === "argument" ? 12 : 4 }),
        svgEl("text", { x: node.x, y: node.y + 4, "text-anchor": "middle" }, node.label));
      const near = (lit) => () => graph.edges.forEach((edge, at) => {
        if (edge.from === number || edge.to === number) {
          edges[at].classList.toggle("lit", lit);
          [edge.from, edge.to].forEach((other) => this.nodes[other].classList.toggle("lit", lit));
        }
      });
      group.append(svgEl("title", {}, `line ${node.line + 1}`));
      group.addEventListener("mouseenter", near(true));
      group.addEventListener("mouseleave", near(false));
      group.addEventListener("click", () => openTab("code").showStageLine(stage, node.line));
      this.svg.append(group);
      return group;
    });
    this.info.textContent = `${count(graph.nodes.length)} nodes` + (graph.omitted ? `; ${count(graph.omitted)} operations more are not drawn` : "") + ". A click shows the line.";
    this.frame.replaceChildren(this.svg);
    this.zoom = this.fit();
    this.size();
  }
  fit() { return Math.min(1, Math.max(0.3, (this.frame.clientWidth - 40) / this.graph.width)) || 1; }
  size() {
    this.svg.setAttribute("width", this.graph.width * this.zoom);
    this.svg.setAttribute("height", this.graph.height * this.zoom);
  }
  refresh() { if (!this.fitted) { this.fitted = true; this.zoom = this.fit(); this.size(); } }
  search(query) {
    const words = query.toLowerCase();
    let found = 0, first = null;
    this.graph.nodes.forEach((node, at) => {
      const fits = words && node.label.toLowerCase().includes(words);
      this.nodes[at].classList.toggle("found", !!fits);
      if (fits && !found++) first = this.nodes[at];
    });
    if (first) first.scrollIntoView({ block: "center", inline: "center" });
    return query ? `${count(found)} nodes` : "";
  }
}
