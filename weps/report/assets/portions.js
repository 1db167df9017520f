// Lists of which a large report, and a small screen, show a portion at a time.
const NARROW = matchMedia("(max-width: 56rem)").matches;
const PORTION = Math.min(data.portion ?? Infinity, NARROW ? 12 : Infinity);

class Portions {
  constructor(list, what, elementOf) {
    Object.assign(this, { list, what, elementOf, items: [], begin: 0, end: PORTION });
    this.bar = make("p", "", { class: "portions" });
    list.after(this.bar);
  }

  show(items) {
    if (items.length !== this.items.length) [this.begin, this.end] = [0, PORTION];
    this.items = items;
    this.fill();
  }

  // Shows an item that is beyond the portion, and others around it.
  reveal(item) {
    const at = this.items.indexOf(item);
    if (at < 0 || (at >= this.begin && at < this.end)) return;
    this.begin = at - (at % PORTION);
    this.end = this.begin + PORTION;
    this.fill();
  }

  fill() {
    const elements = this.items.slice(this.begin, this.end).map(this.elementOf);
    const { children } = this.list;
    if (children.length !== elements.length || elements.some((each, at) => each !== children[at])) {
      this.list.replaceChildren(...elements);
    }
    this.offer(elements.length);
  }

  offer(shown) {
    const { begin, items: { length } } = this;
    this.bar.hidden = shown === length;
    if (this.bar.hidden) return;
    const to = begin + shown;
    const range = make("span", `${figure(begin + 1)} to ${figure(to)} of ${counted(length, ...this.what)}`);
    const more = Math.min(PORTION, length - to);
    this.bar.replaceChildren(
      range,
      begin ? this.button(`Show ${figure(Math.min(PORTION, begin))} before`, begin - PORTION, this.end) : "",
      more ? this.button(`Show ${figure(more)} more`, begin, to + PORTION, "more") : "",
      this.button("Show all", 0, Infinity),
    );
  }

  // The focus goes to the first item that is new, for the button goes.
  button(text, begin, end, kind) {
    const button = make("button", text, { type: "button", class: kind });
    button.addEventListener("click", () => {
      const before = new Set(this.list.children);
      Object.assign(this, { begin: Math.max(begin, 0), end });
      this.fill();
      const added = [...this.list.children].find((child) => !before.has(child));
      added?.querySelector("a, input, summary")?.focus();
    });
    return button;
  }
}
