// Which pages are shown: those of a chosen person, with the words looked for.
function fits(row) {
  const wanted = byId("find").value.trim().toLowerCase();
  const own = state.cut.own[row];
  if (state.chosen !== null && !state.cut.has(state.chosen, row)) return false;
  if (byId("only-unsure").checked && state.assessed[row][0] >= 0.5) return false;
  if (byId("only-noted").checked && !pages[row].noted) return false;
  return !wanted || pages[row].words.includes(wanted) || labelOf(own).toLowerCase().includes(wanted);
}

// In order of rank, or the least sure first: wrong pages are mostly found among these.
function find() {
  const found = [...pages.keys()].filter(fits);
  if (byId("least-sure").checked) found.sort((a, b) => state.assessed[a][0] - state.assessed[b][0] || a - b);
  rowList.show(inEntries(found));
  const limited = byId("find").value.trim() || byId("only-unsure").checked || byId("only-noted").checked;
  const some = new Set(limited && state.chosen === null ? found.map((row) => state.cut.own[row]) : state.cut.members.keys());
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
  } else if (node === undefined && state.chosen !== null) choose(null);
}

function showAll() {
  choose(null);
  history.replaceState(null, "", location.pathname + location.search);
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
  if (top < 0 || top > innerHeight / 2) byId("pages").scrollIntoView({ behavior: "instant" });
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
  byId("tools").addEventListener("input", () => { look("view-pages"); find(); });
  byId("views").addEventListener("click", ({ target }) => target.dataset.view && look(target.dataset.view));
  byId("all").addEventListener("click", showAll);
  document.addEventListener("click", follow);
  window.addEventListener("popstate", followHash);
  document.documentElement.classList.add("script");
  look("view-pages");
  find();
  followHash();
}
