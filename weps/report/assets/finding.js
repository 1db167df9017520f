// Which pages are shown: those of a chosen person, with the words looked for.
const SEARCHED = [".title", ".where", ".excerpt", ".note"];
const textIn = (row) => SEARCHED.map((part) => row.querySelector(part)?.textContent ?? "").join(" ");
const wordsOf = rows.map((row) => textIn(row).toLowerCase());

function fits(row) {
  const wanted = byId("find").value.trim().toLowerCase();
  const own = state.cut.own[row];
  if (state.chosen !== null && own !== state.chosen) return false;
  if (byId("only-unsure").checked && state.told[row][0] >= 0.5) return false;
  if (byId("only-noted").checked && !rows[row].querySelector(".note")) return false;
  return wordsOf[row].includes(wanted) || labelOf(own).toLowerCase().includes(wanted);
}

// In order of rank, or the least sure first: wrong pages are mostly found among these.
function arrange() {
  const order = [...rows.keys()];
  if (byId("least-sure").checked) order.sort((a, b) => state.told[a][0] - state.told[b][0] || a - b);
  const list = byId("view-pages").querySelector(".rows");
  if (order.some((row, at) => list.children[at] !== rows[row])) list.append(...order.map((row) => rows[row]));
}

function find() {
  arrange();
  const found = new Set([...rows.keys()].filter(fits));
  rows.forEach((row, at) => { row.hidden = !found.has(at); });
  const limited = byId("find").value.trim() || byId("only-unsure").checked || byId("only-noted").checked;
  const some = Boolean(limited) && state.chosen === null;
  for (const [node, together] of state.cut.members) {
    cards.get(node).hidden = some && !together.some((row) => found.has(row));
  }
  byId("none").hidden = found.size > 0;
  byId("found").textContent = found.size < size ? `${found.size} of ${counted(size, "page", "pages")}` : "";
}

// Choose a person; null or an unknown person: all pages.
function choose(node) {
  document.querySelectorAll(".choose[aria-current]").forEach((link) => {
    link.removeAttribute("aria-current");
    link.closest(".card").classList.remove("chosen");
  });
  state.chosen = state.cut.members.has(node) ? node : null;
  byId("chosen").hidden = state.chosen === null;
  if (state.chosen !== null) {
    linkOf(node).setAttribute("aria-current", "true");
    cards.get(node).classList.add("chosen");
    toChip(byId("chosen").querySelector(".chip"), node);
  }
  find();
}

const cardAt = (hash) => (hash.length > 1 ? byId(hash.slice(1))?.closest(".card") : null);

function followHash() {
  const card = cardAt(location.hash);
  if (card && state.cut.members.has(nodeOf(card))) {
    choose(nodeOf(card));
    look("view-pages");
  } else if (!card && state.chosen !== null) choose(null);
}

function showAll() {
  choose(null);
  history.replaceState(null, "", location.pathname + location.search);
}

// The target of a link may be filtered out or in another view.
function follow(event) {
  const link = event.target.closest('a[href^="#"]');
  const hash = link?.getAttribute("href") ?? "";
  const card = cardAt(hash);
  if (card) {
    event.preventDefault();
    if (card.classList.contains("chosen") && link.matches(".choose")) showAll();
    else goTo(card);
  } else if (hash.startsWith("#page-")) {
    unveil(rowOf.get(Number(hash.slice("#page-".length))));
  } else if (hash.startsWith("#tie-")) look("view-ties");
}

function unveil(row) {
  look("view-pages");
  if (!rows[row]?.hidden) return;
  byId("tools").reset();
  choose(state.chosen === state.cut.own[row] ? state.chosen : null);
}

// The chosen person's pages, where they can be seen.
function goTo(card) {
  history.pushState(null, "", `#${card.id}`);
  followHash();
  card.querySelector("details").open = true;
  card.scrollIntoView({ block: "nearest" });
  const top = byId("pages").getBoundingClientRect().top;
  if (top < 0 || top > innerHeight / 2) byId("pages").scrollIntoView();
}

function look(view) {
  for (const button of byId("views").children) {
    const chosen = button.dataset.view === view;
    button.setAttribute("aria-pressed", chosen);
    byId(button.dataset.view).hidden = !chosen;
  }
}

function startFinding() {
  byId("only-noted").parentElement.hidden = !document.querySelector(".row .note");
  byId("tools").hidden = byId("views").hidden = false;
  byId("tools").addEventListener("submit", (event) => event.preventDefault());
  byId("tools").addEventListener("input", () => { look("view-pages"); find(); });
  byId("views").addEventListener("click", ({ target }) => target.dataset.view && look(target.dataset.view));
  byId("all").addEventListener("click", showAll);
  document.addEventListener("click", follow);
  window.addEventListener("popstate", followHash);
  document.documentElement.classList.add("script");
  look("view-pages");
  followHash();
}
