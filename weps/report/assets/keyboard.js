// Single-letter shortcuts: j and k go from item to item, a key of an element in data-key clicks it.
// The button #keys says what the items are, and lists all keys, which can be turned off there
// (WCAG 2.1.4); screen readers hear of them by aria-keyshortcuts. For reports and the app's own pages.
{
  const KEPT = "weps-shortcuts";
  const TYPED = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=file])";
  const opener = document.getElementById("keys");
  const { items, noun, more, press, pressed } = opener.dataset;
  let on = true;
  let last = null;

  const visible = (element) => element.checkVisibility({ visibilityProperty: true });
  const all = () => [...document.querySelectorAll(items)].filter(visible);
  const keyed = () => [...document.querySelectorAll("[data-key]")];

  // The item after or before the one that has, or last had, the focus; at first the one in view.
  function neighbour(by) {
    const list = all();
    const at = list.indexOf(list.includes(document.activeElement) ? document.activeElement : last);
    if (at >= 0) return list[at + by];
    const inView = list.find((item) => item.getBoundingClientRect().bottom > 0);
    return inView ?? list.at(by > 0 ? 0 : -1);
  }

  function go(by) {
    const item = neighbour(by);
    if (item) item.focus();
    else if (by > 0) document.querySelector(more)?.click();
  }

  function keep() {
    for (const element of keyed()) {
      if (on) element.setAttribute("aria-keyshortcuts", element.dataset.key);
      else element.removeAttribute("aria-keyshortcuts");
    }
    try {
      localStorage.setItem(KEPT, on ? "on" : "off");
    } catch {
      // A page without an origin of its own keeps nothing.
    }
  }

  function make(tag, content, attributes = {}) {
    const element = Object.assign(document.createElement(tag), attributes);
    element.append(...[content].flat());
    return element;
  }

  const entry = (key, does) => make("div", [make("dt", make("kbd", key)), make("dd", does)]);

  function makeDialog() {
    const box = make("input", [], { type: "checkbox", checked: on });
    box.addEventListener("change", () => {
      on = box.checked;
      keep();
    });
    const entries = [
      entry("j", `Next ${noun}`), entry("k", `Previous ${noun}`), entry(press, pressed),
      ...[...keyed().filter((element) => element !== opener && !element.closest("dialog")), opener].map(({ dataset }) => entry(dataset.key, dataset.does)),
    ];
    const dialog = make("dialog", [
      make("form", make("button", "Close"), { method: "dialog" }),
      make("h2", "Keyboard shortcuts", { id: "shortcuts-head" }),
      make("dl", entries, { className: "shortcuts" }),
      make("label", [box, " Use single-letter shortcuts"]),
    ], { id: "shortcuts" });
    dialog.setAttribute("aria-labelledby", "shortcuts-head");
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const held = event.ctrlKey || event.altKey || event.metaKey || event.isComposing;
    if (!on || held || event.defaultPrevented || target.closest?.(TYPED)) return;
    const dialog = document.querySelector("dialog[open]"); // while one is open, its keys alone count
    const by = dialog ? 0 : { j: 1, k: -1 }[key];
    const isMeant = (element) => element.dataset.key === key && element.closest("dialog[open]") === dialog;
    const button = keyed().find((element) => isMeant(element) && !element.disabled && visible(element));
    if (!by && (!button || event.repeat)) return;
    event.preventDefault();
    if (by) go(by);
    else button.click();
  });
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches(items)) last = target;
  });
  opener.addEventListener("click", makeDialog);
  opener.hidden = false;
  try {
    on = localStorage.getItem(KEPT) !== "off";
  } catch {
    // As above.
  }
  keep();
}
