// Tabs, stages, search, keys and themes.

function stageName(at) {
  const stage = DATA.stages[at];
  if (stage.kind === "input") return stage.name === "result" ? "result" : `input of ${stage.name}`;
  if (stage.kind === "code") return stage.name;
  return stage.anchor ? `${stage.name} on ${stage.anchor}` : stage.name;
}

const selected = { stage: 0, tab: "code", changes: false };
selected.stage = Math.max(0, DATA.stages.findLastIndex((stage) => stage.kind !== "code"));

const TABS = [
  ["code", "Code", () => true, () => "", CodeView],
  ["passes", "Passes", () => DATA.stages.some((stage) => stage.kind === "pass"), () => DATA.stages.filter((stage) => stage.kind === "pass").length, PassesView],
  ["remarks", "Remarks", () => DATA.remarks.length, () => count(DATA.remarks.length), RemarksView],
  ["kernels", "Kernels", () => DATA.kernels && DATA.kernels.list.length, () => count(DATA.kernels.list.length), KernelsView],
  ["buffers", "Buffers", () => DATA.buffers && DATA.buffers.list.length, () => count(DATA.buffers.list.reduce((sum, one) => sum + one.buffers.length, 0)), BuffersView],
  ["graph", "Graph", () => DATA.graphs.some((one) => one.list.some((graph) => graph.nodes.length)), () => "", GraphView],
].filter(([, , exists]) => exists());
const views = {};
const byId = (id) => document.getElementById(id);

function openTab(name) {
  if (!TABS.some(([known]) => known === name)) name = "code";
  selected.tab = name;
  if (!views[name]) views[name] = new (TABS.find(([known]) => known === name)[4])();
  byId("view").replaceChildren(views[name].element);
  document.querySelectorAll("#tabs button").forEach((tab) => tab.setAttribute("aria-selected", tab.dataset.tab === name));
  if (views[name].refresh) views[name].refresh();
  const searches = !!views[name].search;
  byId("query").disabled = !searches;
  byId("hits").textContent = searches && byId("query").value ? views[name].search(byId("query").value) || "" : "";
  writeHash();
  return views[name];
}

function selectStage(at) {
  selected.stage = at;
  document.querySelectorAll(".stage").forEach((one) => one.classList.toggle("selected", Number(one.dataset.stage) === at));
  const row = document.querySelector(".stage.selected");
  if (row && at > 0) row.scrollIntoView({ block: "nearest" });
  else byId("stages").scrollTop = 0;
  if (views.code) views.code.show(at);
  writeHash();
}

function stepStage(step) {
  let at = selected.stage + step;
  // Stages that are hidden are passed over.
  const isHidden = (stage) => byId("stages").classList.contains("only-changed") && stage && stage.kind === "pass" && !stage.changed;
  while (isHidden(DATA.stages[at])) at += step;
  if (at >= 0 && at < DATA.stages.length) selectStage(at);
  if (selected.tab !== "code") openTab("code");
}

function writeHash() {
  try { history.replaceState(null, "", `#${selected.tab},${selected.stage + 1}`); } catch { /* A page without an address. */ }
}

function readHash(hash) {
  const [tab, stage] = hash.slice(1).split(",");
  if (stage >= 1 && stage <= DATA.stages.length) selectStage(stage - 1);
  openTab(tab || "code");
}

// Shows or hides the stages that changed nothing.
function toggleUnchanged() {
  const hides = byId("stages").classList.toggle("only-changed");
  byId("unchanged").textContent = hides ? "show all" : "hide unchanged";
}

function fillStages() {
  const longest = Math.max(1, ...DATA.stages.map((stage) => stage.time || 0));
  const remarks = new Map();
  DATA.remarks.forEach(({ stage }) => remarks.set(stage, (remarks.get(stage) || 0) + 1));
  let phase = -1;
  const unchanged = DATA.stages.filter((stage) => stage.kind === "pass" && !stage.changed).length;
  if (unchanged) byId("stages").append(el("button.link", { id: "unchanged", title: `${count(unchanged)} passes changed nothing (u)`, onclick: toggleUnchanged }, "hide unchanged"));
  DATA.stages.forEach((stage, at) => {
    if (stage.phase !== phase && stage.kind !== "code") {
      phase = stage.phase;
      byId("stages").append(el("h2", {}, DATA.phases[phase] || "stages"));
    }
    if (stage.kind === "code" && (at === 0 || DATA.stages[at - 1].kind !== "code")) byId("stages").append(el("h2", {}, "code"));
    const what = changes(stage.difference, stage);
    if (remarks.get(at)) what.push(" ", `${count(remarks.get(at))} remarks`);
    if (stage.runs > 1) what.push(" ", `on ${count(stage.runs)} operations`);
    const row = el("button.stage", { onclick: () => { selectStage(at); openTab("code"); }, title: stageName(at) },
      el("div.row", {}, el("span.name", {}, stage.kind === "input" ? (stage.name === "result" ? "result" : "input") : stage.name), el("span.time", {}, seconds(stage.time))),
      what.length ? el("div.what", {}, ...what) : null);
    if (stage.time && stage.time > longest / 100) {
      const meter = el("div.meter");
      meter.style.width = (100 * stage.time) / longest + "%";
      row.append(meter);
    }
    row.dataset.stage = at;
    row.classList.toggle("unchanged", stage.kind === "pass" && !stage.changed);
    row.classList.toggle("failed", stage.failed);
    byId("stages").append(row);
  });
}

const KEYS = [
  ["j k", "next and previous stage"], ["d", "changes of the stage, or its whole text"], ["/", "search; Enter and Shift+Enter go on"],
  ["n N", "next and previous hit"], ["1 – 6", "tabs"], ["Esc", "forget marks and search"], ["u", "only the stages that changed something, or all"], ["t", "light or dark"], ["?", "this list"],
  ["hover", "lines from the same source line light up in all panes"], ["click", "keeps them lit and scrolls the other panes to them"], ["click %v", "marks a value in its function"],
];

function setTheme(dark) {
  document.documentElement.classList.toggle("dark", dark);
  if (views.code) views.code.refresh();
}

function toggleTheme() {
  const dark = !document.documentElement.classList.contains("dark");
  setTheme(dark);
  try { localStorage.setItem("minoan-theme", dark ? "dark" : "light"); } catch { /* Not everywhere may a page store. */ }
}

function search(step) {
  const view = views[selected.tab], query = byId("query").value;
  if (!view || !view.search) return;
  const again = step && view.next && view.query === query;
  byId("hits").textContent = (again ? view.next(step) : view.search(query)) || "";
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape") {
    byId("query").value = "";
    byId("query").blur();
    search(0);
    if (views.code) views.code.unpin();
    return;
  }
  if (typing) return;
  const tab = TABS[Number(event.key) - 1];
  const acts = {
    j: () => stepStage(1), k: () => stepStage(-1), d: () => openTab("code").toggleChanges(), n: () => search(1), N: () => search(-1),
    t: toggleTheme, u: () => byId("unchanged") && toggleUnchanged(), "?": () => byId("keys").showModal(), "/": () => { byId("query").focus(); byId("query").select(); },
  };
  const act = tab ? () => openTab(tab[0]) : acts[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function start() {
  const total = DATA.stages.reduce((sum, stage) => sum + (stage.time || 0) + (stage.verifying || 0), 0);
  byId("title").textContent = DATA.title;
  byId("title").title = `${DATA.title}, ${seconds(total)}; written by Minoan ${DATA.version}`;
  let stored = null;
  try { stored = localStorage.getItem("minoan-theme"); } catch { /* As above. */ }
  setTheme(stored ? stored === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  TABS.forEach(([name, label, , number], at) => {
    const tab = el("button", { role: "tab", title: `${label} (${at + 1})`, onclick: () => openTab(name) }, label, number() !== "" ? el("small", {}, " " + number()) : null);
    tab.dataset.tab = name;
    byId("tabs").append(tab);
  });
  fillStages();
  byId("theme").addEventListener("click", toggleTheme);
  byId("help").addEventListener("click", () => byId("keys").showModal());
  byId("keys").append(el("table", {}, el("tbody", {}, ...KEYS.map(([keys, does]) => el("tr", {}, el("td", {}, el("kbd", {}, keys)), el("td", {}, does))))));
  byId("keys").addEventListener("click", () => byId("keys").close());
  let typed = 0;
  byId("query").addEventListener("input", () => { clearTimeout(typed); typed = setTimeout(() => search(0), 120); });
  byId("query").addEventListener("keydown", (event) => { if (event.key === "Enter") search(event.shiftKey ? -1 : 1); });
  addEventListener("keydown", key);
  addEventListener("hashchange", () => readHash(location.hash));
  const asked = location.hash;
  selectStage(selected.stage);
  readHash(asked);
  document.body.dataset.ready = "true";
}
if (DATA.stages.length) start();
else byId("view").append(el("p.note", {}, "Nothing was recorded."));
