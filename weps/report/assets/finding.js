// Which pages are shown: those of a chosen person, with the words looked for, of the kinds chosen.
const AROUND = 90; // characters of the text on either side of what was found
let texts = null; // unpacked when they are searched for the first time

const sought = () => byId("find").value.trim().toLowerCase().replace(/\s+/g, " ");

// Where the text of a page has what is looked for.
function placeIn(row, wanted) {
  if (!wanted || !texts) return -1;
  texts[row].lower ??= texts[row].text.toLowerCase();
  return texts[row].lower.indexOf(wanted);
}

// Language, kind, year and site, where they divide the pages.
const FACETS = [
  ["kind", "kinds", (row) => data.about[row][1]],
  ["year", "years", (row) => data.about[row][0].slice(0, 4)],
  ["language", "languages", (row) => data.about[row][2]],
  ["site", "sites", (row) => pages[row].domain],
];
const MOST_VALUES = 20;
let facets = [];

function makeFacet([name, many, valueOf]) {
  const counts = new Map();
  for (const row of pages.keys()) counts.set(valueOf(row), (counts.get(valueOf(row)) ?? 0) + 1);
  const known = [...counts].filter(([value, number]) => value && (name !== "site" || number > 1));
  known.sort(([one, few], [other, more]) => (name === "year" ? other - one : more - few));
  if (!known.length || counts.size < 2) return null;
  const shown = known.slice(0, MOST_VALUES).map(([value, number]) => make("option", `${value} (${figure(number)})`, { value }));
  const select = make("select", [make("option", `all ${many}`, { value: "" }), ...shown], { "aria-label": name });
  byId("facets").append(select);
  return { select, valueOf };
}

const isLimited = () => sought() || byId("only-unsure").checked || byId("only-noted").checked || facets.some(({ select }) => select.value);

function fits(row) {
  const wanted = sought();
  const own = state.cut.own[row];
  if (state.chosen !== null && !state.cut.has(state.chosen, row)) return false;
  if (byId("only-unsure").checked && state.assessed[row][0] >= 0.5) return false;
  if (byId("only-noted").checked && !pages[row].noted) return false;
  if (facets.some(({ select, valueOf }) => select.value && select.value !== valueOf(row))) return false;
  return !wanted || pages[row].words.includes(wanted) || placeIn(row, wanted) >= 0 || isMarked(row, wanted) || labelOf(own).toLowerCase().includes(wanted);
}

// What was found in the text, with what is around it.
function showHit(row) {
  const what = pages[row].element.querySelector(".what");
  what.querySelector(":scope > .hit")?.remove();
  const wanted = sought();
  const at = placeIn(row, wanted);
  if (at < 0) return;
  const { text } = texts[row];
  const [begin, end] = [Math.max(0, at - AROUND), at + wanted.length];
  const around = [begin ? "…" : "", text.slice(begin, at), make("mark", text.slice(at, end)), text.slice(end, end + AROUND), end + AROUND < text.length ? "…" : ""];
  what.querySelector(".place").before(make("p", around, { class: "hit" }));
}

// In order of rank, or the least sure first: wrong pages are mostly found among these.
function find() {
  const found = [...pages.keys()].filter(fits);
  if (byId("least-sure").checked) found.sort((a, b) => state.assessed[a][0] - state.assessed[b][0] || a - b);
  rowList.show(inEntries(found));
  const some = new Set(isLimited() && state.chosen === null ? found.map((row) => state.cut.own[row]) : state.cut.members.keys());
  showPeople(inOrder(state.cut, state.assessed).filter((node) => some.has(node)));
  byId("none").hidden = found.length > 0;
  byId("found").textContent = found.length < size ? `${figure(found.length)} of ${counted(size, "page", "pages")}` : "";
}

// Choose a person; null or an unknown person: all pages.
function choose(node) {
  document.querySelectorAll(".choose[aria-current]").forEach((link) => {
    link.removeAttribute("aria-current");
    link.closest(".card").classList.remove("chosen");
  });
  state.chosen = state.cut.rows(node) ? node : null;
  showAbout(state.chosen);
  byId("view-pages").classList.toggle("of-one", state.chosen !== null);
  if (state.chosen !== null) {
    const card = cardOf(node);
    card.querySelector(".choose").setAttribute("aria-current", "true");
    card.classList.add("chosen");
  }
  find();
  showPart();
  if (!byId("view-ties").hidden) showTies();
  const [first] = state.cut.rows(state.chosen) ?? [];
  peopleLists.forEach((list) => list.reveal(state.cut.own[first]));
}

// The address of a person, a page or a pair.
function followHash() {
  const { hash } = location;
  const node = nodeAt.get(hash);
  if (state.cut.rows(node)) {
    choose(node);
    onceShown(() => present(node));
  } else if (/^#(page|tie)-/.test(hash)) {
    if (!data.pages) return;
    uncover(hash);
    byId(hash.slice(1))?.scrollIntoView();
  } else if (node === undefined) {
    if (state.chosen !== null) choose(null);
    if (/^#person-\d+$/.test(hash)) byId("found").textContent = `There is no ${hash.slice(1).replace("-", " ")} in this report any more.`;
  }
}

function showAll() {
  choose(null);
  history.replaceState(null, "", location.pathname + location.search);
  if (NARROW) byId("people").scrollIntoView({ behavior: "instant" });
}

// The target of a link may be filtered out, in another view or not yet made.
function follow(event) {
  const link = event.target.closest('a[href^="#"]');
  const hash = link?.getAttribute("href") ?? "";
  const node = nodeAt.get(hash);
  if (node === undefined) uncover(hash);
  else {
    event.preventDefault();
    if (node === state.chosen && link.matches(".choose")) showAll();
    else goTo(node);
  }
}

function uncover(hash) {
  if (hash.startsWith("#page-")) unveil(rowOf.get(Number(hash.slice("#page-".length))));
  else if (hash.startsWith("#tie-")) look("view-ties", hash);
}

function unveil(row) {
  look("view-pages");
  if (row === undefined) return;
  if (!fits(row)) {
    byId("tools").reset();
    choose(state.cut.has(state.chosen, row) ? state.chosen : null);
  }
  revealPage(row);
}

// The chosen person and their row, where they can be seen.
function present(node) {
  cardOf(node).scrollIntoView({ block: "nearest" });
  const { top } = byId("pages").getBoundingClientRect();
  if (top + scrollY < innerHeight / 2) scrollTo({ top: 0, behavior: "instant" });
  else if (top < 0 || top > innerHeight / 2) byId("pages").scrollIntoView({ behavior: "instant" });
}

// Not before the browser has gone to the address.
function onceShown(then) {
  if (document.readyState === "complete") requestAnimationFrame(then);
  else addEventListener("load", () => setTimeout(then), { once: true });
}

function goTo(node) {
  history.pushState(null, "", `#${people.get(node).anchor}`);
  followHash();
}

function look(view, hash = "") {
  if (view === "view-ties") showTies(hash);
  for (const button of byId("views").children) {
    const chosen = button.dataset.view === view;
    button.setAttribute("aria-pressed", chosen);
    byId(button.dataset.view).hidden = !chosen;
  }
}

function startFinding() {
  byId("only-noted").parentElement.hidden = !pages.some(({ noted }) => noted);
  byId("tools").hidden = byId("views").hidden = false;
  byId("tools").addEventListener("submit", (event) => event.preventDefault());
  facets = FACETS.map(makeFacet).filter(Boolean);
  byId("tools").addEventListener("input", async () => {
    look("view-pages");
    find();
    if (texts || !sought()) return;
    texts = parsed(await unpacked("texts")).map((text) => ({ text }));
    if (data.searched) byId("searched").textContent = `Of long pages, ${figure(data.searched)} characters nearest to the name are searched.`;
    find();
  });
  byId("views").addEventListener("click", ({ target }) => target.dataset.view && look(target.dataset.view));
  byId("all").addEventListener("click", showAll);
  document.addEventListener("click", follow);
  window.addEventListener("popstate", followHash);
  document.documentElement.classList.add("script");
  look("view-pages");
  find();
  followHash();
}
