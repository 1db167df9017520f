// Selected pages and people, and the bar of possible corrections. Pages set aside, by rank, can only be marked.
const picked = { rows: new Set(), nodes: new Set(), aside: new Set() };

// A page stands for its near-identical pages as long as they are folded below it.
const rowsOfEntry = (row) => [row, ...(pages[row].copies?.open ? [] : (entries.get(row) ?? []))];

// Ranks, ascending.
function pagesPicked(rows = [...picked.rows].flatMap(rowsOfEntry)) {
  const together = [...picked.nodes].flatMap((node) => state.cut.rows(node));
  return ascending(new Set([...rows, ...together].map((row) => ranks[row])));
}

const peoplePicked = () => [...new Set(pagesPicked().map((rank) => state.cut.own[rowOf.get(rank)]))];

const possible = {
  same: () => pagesPicked().length > 1,
  different: () => sidesOf(pagesPicked(picked.rows)).length === 2,
  split: () => peoplePicked().length === 1 && restOf(pagesPicked()).length > 0,
  confirm: () => pagesPicked().length > 0,
  exclude: () => pagesPicked().length > 0,
  unclear: () => pagesPicked().length > 0,
  move: () => pagesPicked().length > 0 && byId("to").value !== "",
  rename: () => peoplePicked().length === 1 && byId("called").value.trim() !== "",
  note: () => markable() && remark() !== "",
  tag: () => markable() && remark() !== "" && remark().length <= LONGEST_TAG,
  checked: markable,
};

// Of such lines the last on a page applies.
const PLACING = /^(keep|exclude|unclear) /;

// People are joined by a typical page of each, for others of their pages may be misplaced.
function sameOf() {
  if (picked.nodes.size === 0 || peoplePicked().length < 2) return {};
  const single = [...picked.rows].flatMap(rowsOfEntry).map((row) => ranks[row]);
  const typical = [...picked.nodes].map((node) => typicalOf(ranksOf(node)));
  return { action: "join", pages: ascending(new Set([...single, ...typical])) };
}

const MARKS = ["note", "tag", "checked"];
const extras = {
  different: () => ({ pages: pagesPicked(picked.rows) }),
  same: sameOf,
  move: () => ({ to: Number(byId("to").value) }),
  rename: () => ({ name: byId("called").value.trim().replace(/\s+/g, " ") }),
  ...Object.fromEntries(MARKS.map((kind) => [kind, () => marking(kind)])),
};

function act(action) {
  warn("");
  const wish = { action, pages: pagesPicked(), ...extras[action]?.() };
  backend.add(wish);
  if (backend === file) clearPicked(); // the app loads the page again once it has taken it
}

// People to whom the picked pages do not belong, as they are shown.
function offerTargets() {
  if (pagesPicked().length === 0) return;
  const own = new Set(peoplePicked());
  const others = inOrder(state.cut, state.assessed).filter((node) => !own.has(node));
  const options = others.map((node) => make("option", labelOf(node), { value: typicalOf(ranksOf(node)) }));
  byId("to").replaceChildren(make("option", "to …", { value: "" }), ...options);
}

function showSelection() {
  const pages = pagesPicked();
  const people = counted(peoplePicked().length, "person", "people");
  const aside = picked.aside.size;
  const parts = [pages.length && `${counted(pages.length, "page", "pages")} of ${people}`, aside && `${counted(aside, "page", "pages")} set aside`];
  byId("selection").textContent = `${parts.filter(Boolean).join(" and ")} selected`;
  for (const button of document.querySelectorAll("[data-act]")) {
    const { act: action } = button.dataset;
    button.disabled = !possible[action]() || (aside > 0 && !MARKS.includes(action));
  }
  const lines = [...byId("said").children].map((item) => item.dataset.line).filter((line) => PLACING.test(line));
  for (const [rank, { element }] of asideOf) {
    const latest = lines.findLast((line) => mentionedIn(line).includes(rank));
    const button = element?.querySelector(":scope > button");
    if (button) button.disabled = Boolean(latest?.startsWith("keep "));
  }
  const none = byId("said").childElementCount === 0 && (byId("save")?.hidden ?? true);
  const idle = pages.length + aside === 0;
  byId("selection").hidden = document.querySelector(".acts").hidden = idle;
  document.querySelector(".kept").hidden = none;
  byId("correcting").hidden = idle && none && byId("alert").hidden;
}

// The box of a page or person that was selected, which may be out of the list by now.
function untick(kind, which) {
  const { element } = { rows: pages[which], nodes: people.get(which), aside: asideOf.get(which) }[kind];
  element.querySelector(":scope > .pick").checked = false;
  picked[kind].delete(which);
}

// A page that was selected before the report was loaded again.
function tick(row) {
  if (row === undefined) return;
  partsOf(row);
  pages[row].element.querySelector(":scope > .pick").checked = true;
  picked.rows.add(row);
}

function clearPicked() {
  for (const kind of Object.keys(picked)) for (const which of [...picked[kind]]) untick(kind, which);
  byId("called").value = byId("remark").value = "";
  changed();
}

function changed() {
  offerTargets();
  showSelection();
}

// At another cut, selected people may no longer exist.
function cutChanged() {
  for (const node of [...picked.nodes]) if (!state.cut.rows(node)) untick("nodes", node);
  changed();
}

function picker(label, kind, which) {
  const box = make("input", "", { type: "checkbox", class: "pick", "aria-label": `Select ${label}` });
  box.addEventListener("change", () => {
    picked[kind][box.checked ? "add" : "delete"](which);
    changed();
  });
  return box;
}

function offerPuttingBack({ rank, element }) {
  element.prepend(picker(`page ${rank}`, "aside", rank));
  const button = make("button", "Put back", { type: "button", "aria-label": `Put back page ${rank}` });
  button.addEventListener("click", () => backend.add({ action: "keep", pages: [rank] }));
  element.append(button);
}

function startCorrecting() {
  byId("correcting").addEventListener("click", ({ target }) => target.dataset.act && act(target.dataset.act));
  byId("correcting").addEventListener("input", showSelection);
  byId("clear").addEventListener("click", clearPicked);
  byId("undo").addEventListener("click", () => backend.undo());
  for (const page of asideOf.values()) if (page.element) offerPuttingBack(page);
  backend.start();
  offerQuestions();
  changed();
}
