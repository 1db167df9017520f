// The pages of a cut: person, confidence, closest pages.
const WEB = { rel: "noopener noreferrer nofollow" };

function makeTitle({ title, saved, live }) {
  const shown = make("bdi", title);
  if (!saved && !live) return make("bdi", title, { class: "title" });
  return make("a", [shown], { class: saved ? "title" : "title live", href: saved || live, ...WEB });
}

// Where a page is on the web, and when its copy was made.
function makePlace({ saved, live, domain, path, day }) {
  const address = domain ? [make("b", domain), make("bdi", path)] : [];
  const link = { class: "live", href: live, ...WEB, title: "The page on the Web" };
  const shown = live && saved ? [make("a", address, link)] : address;
  const made = day ? [" ", make("span", ["saved ", make("time", day)], { class: "day" })] : [];
  return [...shown, ...made];
}

function makeNear(kind, what) {
  const check = kind === "rival" && make("span", " likely the same person – check", { class: "check", hidden: "hidden" });
  return make("div", [make("p", [`${what} `, make("a"), " ", make("b"), check])], { class: `near ${kind}`, hidden: "hidden" });
}

function makeRow(row) {
  const page = pages[row];
  const { rank, fingerprint, excerpt, caution, problem } = page;
  const [date, of] = data.about[row];
  const place = [...makePlace(page), ...[of, date].filter(Boolean).flatMap((told) => [" ", make("span", told, { class: "day" })])];
  const parts = excerpt.split("\n").map((part, at) => (at % 2 ? make("mark", part) : part));
  const bar = draw("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" });
  bar.append(draw("rect", { width: 0, height: 6 }));
  const doubt = [make("b", "Unsure", { class: "badge" }), make("span", "", { class: "else" })];
  const standing = [
    make("a", "", { class: "chip" }), " ", make("span", [bar, make("span")], { class: "score" }), " ",
    make("b", "Confirmed", { class: "badge good", hidden: "hidden" }), " ", make("span", doubt, { class: "doubt", hidden: "hidden" }),
    caution && make("span", caution, { class: "note" }),
    problem && make("span", `Problem: ${problem}`, { class: "note" }),
  ];
  const why = [
    make("summary", "Why here"),
    makeNear("closest", "Most similar page of the same person"), makeNear("rival", "Most similar page filed under someone else"),
  ];
  const what = [
    make("h3", [makeTitle(page)]),
    place.length ? make("p", place, { class: "where" }) : "",
    excerpt && make("p", parts, { class: "excerpt" }),
    make("p", standing, { class: "place" }),
    make("details", why, { class: "why" }),
  ];
  const named = { class: "row", id: `page-${rank}`, "data-rank": rank, "data-fingerprint": fingerprint || undefined };
  return make("li", [make("span", rank, { class: "rank" }), make("div", what, { class: "what" })], named);
}

function nearIn(element, kind) {
  const near = element.querySelector(kind);
  return { near, page: near.querySelector("a"), probability: near.querySelector("b"), row: -1 };
}

// What changes in the element of a page.
function partsOf(row) {
  const page = pages[row];
  if (page.parts) return page.parts;
  page.element ??= makeRow(row);
  const { element } = page;
  element.prepend(picker(`page ${page.rank}`, "rows", row));
  page.parts = {
    chip: element.querySelector(".place > .chip"),
    bar: element.querySelector(".score rect"),
    score: element.querySelector(".score > span"),
    good: element.querySelector(".good"),
    doubt: element.querySelector(".doubt"),
    else: element.querySelector(".else"),
    why: element.querySelector(".why"),
    closest: nearIn(element, ".closest"),
    rival: nearIn(element, ".rival"),
  };
  return page.parts;
}

function toChip(chip, node) {
  chip.className = `chip ${toneOf(node)}`;
  chip.href = `#${people.get(node).anchor}`;
  chip.replaceChildren(...labelled(node));
}

function showOwner(row, node) {
  const { chip } = partsOf(row);
  if (chip.hash === `#${people.get(node).anchor}`) return;
  pages[row].element.className = `row ${toneOf(node)}`;
  toChip(chip, node);
}

function showScore(row, score, nearest) {
  const { bar, score: shown, doubt, else: other } = partsOf(row);
  bar.setAttribute("width", Math.round(100 * score));
  shown.textContent = percent(score);
  doubt.hidden = score >= 0.5;
  other.replaceChildren();
  if (doubt.hidden || nearest < 0) return;
  const chip = make("a");
  toChip(chip, nearest);
  other.append(" perhaps ", chip);
}

function showNear(shown, other, probability) {
  shown.near.hidden = other < 0;
  if (other < 0) return;
  shown.probability.textContent = percent(probability);
  const check = shown.near.querySelector(".check");
  if (check) check.hidden = probability < 0.5;
  if (shown.row === other) return;
  shown.row = other;
  shown.page.textContent = `${ranks[other]} ${shortened(titleOf(other), 70)}`;
  shown.page.href = `#page-${ranks[other]}`;
}

function tellTie(row, { near }, other) {
  near.querySelector(".tie")?.remove();
  const tie = other < 0 ? null : tieOf(row, other);
  if (tie) near.append(copyOf(tie));
}

// The evidence of a page: filled in when unfolded, and again when the cut changes.
function tellWhy(row) {
  const { why, closest, rival } = partsOf(row);
  if (!why.open) return;
  const [, , own, close, other, far] = state.assessed[row];
  showNear(closest, own, close);
  showNear(rival, other, far);
  tellTie(row, closest, own);
  tellTie(row, rival, other);
}

// The element of a page as it is at the cut.
function rowAt(row) {
  const page = pages[row];
  const now = state.assessed[row];
  const { good } = partsOf(row);
  showCopies(row);
  showHit(row);
  if (marksOf.page.has(page.rank)) markPage(page);
  if (page.shown === now && page.node === state.cut.own[row]) return page.element;
  Object.assign(page, { shown: now, node: state.cut.own[row] });
  showOwner(row, page.node);
  showScore(row, now[0], now[1]);
  good.hidden = !now[6];
  tellWhy(row);
  return page.element;
}

// Near-duplicates of one person are one entry: that of the first of those found.
let entries = new Map();
let entryOf = new Map();

function inEntries(found) {
  const groups = new Map();
  for (const row of found) {
    const group = `${originalOf.get(row) ?? row} ${state.cut.own[row]}`;
    if (groups.has(group)) groups.get(group).push(row);
    else groups.set(group, [row]);
  }
  entries = new Map([...groups.values()].map(([first, ...copies]) => [first, copies]));
  entryOf = new Map([...entries].flatMap(([first, copies]) => copies.map((row) => [row, first])));
  return [...entries.keys()];
}

function makeCopies() {
  return make("details", [make("summary"), make("ol", "", { class: "rows" })], { class: "copies" });
}

// Those of a large report are made once they are unfolded.
function showCopies(row) {
  const page = pages[row];
  const copies = entries.get(row) ?? [];
  page.copies ??= page.element.querySelector(":scope > .copies") ?? (copies.length ? makeCopies() : null);
  if (!copies.length) {
    page.copies?.remove();
    return;
  }
  const [summary, list] = page.copies.children;
  summary.textContent = `and ${counted(copies.length, "near-identical page", "near-identical pages")}`;
  if (page.copies.parentNode !== page.element) page.element.append(page.copies);
  if (data.pages && !page.copies.open) return;
  const shown = copies.map(rowAt);
  if (list.children.length !== shown.length || shown.some((each, at) => each !== list.children[at])) list.replaceChildren(...shown);
}

function revealPage(row) {
  const entry = entryOf.get(row) ?? row;
  rowList.reveal(entry);
  if (entry === row || !pages[entry].copies) return;
  pages[entry].copies.open = true;
  showCopies(entry);
}

const nouns = originalOf.size ? ["entry", "entries"] : ["page", "pages"];
const rowList = new Portions(document.querySelector("#view-pages .rows"), nouns, rowAt);

// Pages that are set aside: those of a pile once it is unfolded.
const piles = [...document.querySelectorAll("#set-aside details")];
const asidePages = (data.aside ?? []).map((pile) => pile.map((fields) => ({ ...unpackedPage(fields.slice(0, 8)), reason: fields[8] })));
for (const page of asidePages.flat()) asideOf.set(page.rank, page);

function makeAside(page) {
  const { rank, fingerprint, reason } = page;
  const place = makePlace(page);
  const what = make("div", [
    makeTitle(page), place.length ? " " : "",
    place.length ? make("small", place, { class: "where" }) : "",
    make("p", reason),
  ]);
  const named = { id: `page-${rank}`, "data-rank": rank, "data-fingerprint": fingerprint || undefined };
  page.element = make("li", [make("span", rank, { class: "rank" }), what], named);
  offerPuttingBack(page);
  markPage(page);
  return page.element;
}

function listAside(details) {
  const pile = asidePages[piles.indexOf(details)];
  const list = details.querySelector("ul");
  if (pile && !list.childElementCount) new Portions(list, ["page", "pages"], makeAside).show(pile);
}
