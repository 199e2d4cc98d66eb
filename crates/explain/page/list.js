// A list of rows of equal height, of which only the visible ones are in the document.

class RowList {
  // `make(row)` returns the element of a row.
  constructor(className, height, make) {
    this.height = height;
    this.make = make;
    this.count = 0;
    this.rows = new Map();
    this.room = el("div.room");
    this.element = el(className, { tabIndex: 0 }, this.room);
    this.element.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.element);
  }
  setCount(count) {
    this.count = count;
    // Browsers limit the height of elements; rows beyond it are compressed into it.
    const whole = count * this.height;
    this.scale = Math.max(1, whole / 15e6);
    this.room.style.height = whole / this.scale + "px";
    this.refresh();
  }
  // Makes all visible rows again.
  refresh() {
    this.rows.forEach((row) => row.remove());
    this.rows.clear();
    this.draw();
  }
  range() {
    const top = this.element.scrollTop, size = this.element.clientHeight || 0;
    const first = this.scale > 1 ? Math.floor((top * this.scale) / this.height) : Math.floor(top / this.height);
    return [Math.max(0, first - 10), Math.min(this.count, first + Math.ceil(size / this.height) + 10)];
  }
  draw() {
    const [first, end] = this.range();
    for (const [at, row] of this.rows) if (at < first || at >= end || this.scale > 1) { row.remove(); this.rows.delete(at); }
    const added = document.createDocumentFragment();
    const top = this.scale > 1 ? this.element.scrollTop - ((this.element.scrollTop * this.scale) % this.height) : 0;
    for (let at = first; at < end; at++) {
      if (this.rows.has(at)) continue;
      const row = this.make(at);
      row.style.top = (this.scale > 1 ? top + (at - first - 10) * this.height : at * this.height) + "px";
      this.rows.set(at, row);
      added.append(row);
    }
    this.room.append(added);
    if (this.ondraw) this.ondraw();
  }
  isVisible(at) {
    const top = (at * this.height) / this.scale;
    return top >= this.element.scrollTop && top + this.height <= this.element.scrollTop + this.element.clientHeight;
  }
  // Scrolls so that a row is in the upper half, unless it is visible.
  show(at) {
    if (!this.isVisible(at)) {
      this.element.scrollTop = (at * this.height) / this.scale - this.element.clientHeight / 3;
    }
    this.draw();
  }
}
