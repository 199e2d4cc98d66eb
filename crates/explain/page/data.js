// The recorded data, and texts as lines.

const DATA = JSON.parse(document.getElementById("data").textContent);
document.getElementById("data").textContent = "";

const HOLE = /[\u0001\u0002]/g;
const HOLES = Uint16Array.from(DATA.templates, (text) => (text.match(HOLE) || []).length);

// A source line as one number.
const placeKey = (file, line) => file * 0x4000000 + line;
const PLACES = DATA.places.map((set) => {
  const keys = [];
  for (let at = 0; at < set.length; at += 2) keys.push(placeKey(set[at], set[at + 1]));
  return keys;
});

// A text that a pane shows: lines, and the source lines of each.
class FileText {
  constructor(number) {
    this.number = number;
    this.lines = DATA.files[number].lines || [];
    this.length = this.lines.length;
  }
  line(at) { return this.lines[at]; }
  places(at) { return [placeKey(this.number, at + 1)]; }
  linesAt(keys) {
    const first = placeKey(this.number, 1), found = [];
    for (const key of keys) if (key >= first && key < first + this.length) found.push(key - first);
    return found.sort((a, b) => a - b);
  }
}

class StageText {
  constructor(text) {
    this.text = text;
    this.length = text.t.length;
    this.starts = new Uint32Array(this.length + 1);
    for (let at = 0; at < this.length; at++) this.starts[at + 1] = this.starts[at] + HOLES[text.t[at]];
  }
  line(at) {
    const template = DATA.templates[this.text.t[at]];
    let next = this.starts[at];
    if (this.starts[at + 1] === next) return template;
    return template.replace(HOLE, (hole) => {
      const number = this.text.n[next++];
      return hole === "\u0001" ? number : number < 0 ? "" : "_" + number;
    });
  }
  places(at) { return PLACES[this.text.l[at]]; }
  // The lines that come from any of the source lines. The index is made when it is first asked for.
  linesAt(keys) {
    if (!this.index) {
      this.index = new Map();
      for (let at = 0; at < this.length; at++) {
        for (const key of this.places(at)) {
          const lines = this.index.get(key);
          if (lines) lines.push(at); else this.index.set(key, [at]);
        }
      }
    }
    const found = new Set();
    for (const key of keys) for (const line of this.index.get(key) || []) found.add(line);
    return [...found].sort((a, b) => a - b);
  }
}

const TEXTS = DATA.texts.map(() => null);
const textOf = (number) => TEXTS[number] || (TEXTS[number] = new StageText(DATA.texts[number]));
const FILES = DATA.files.map((_, number) => new FileText(number));

const seconds = (micros) =>
  micros == null ? "" : micros < 1000 ? micros + " µs" : micros < 1e6 ? (micros / 1e3).toFixed(micros < 1e4 ? 2 : 1) + " ms" : (micros / 1e6).toFixed(2) + " s";
const bytesText = (bytes) => {
  if (bytes == null) return "dynamic";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit < 4) { bytes /= 1024; unit++; }
  return (unit ? bytes.toFixed(bytes < 10 ? 2 : 1) : bytes) + " " + units[unit];
};
const count = (number) => number.toLocaleString("en-US");

// Creates an element: properties, then children. Text is never parsed as HTML.
function el(tag, properties, ...children) {
  const [name, ...classes] = tag.split(".");
  const made = document.createElement(name || "div");
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties || {})) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key.includes("-") || key === "role" || key === "colspan") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.filter((child) => child != null));
  return made;
}
function svgEl(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
