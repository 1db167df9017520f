// Where corrections go: to the app that shows the page, or into a file to save.
const FOLLOWED = "After your last correction";
let seen = document.querySelector('meta[name="weps-version"]')?.content;
const appUrl = document.querySelector('meta[name="weps-corrections"]')?.content;

function warn(message, action = "") {
  byId("alert").replaceChildren(message, " ", action);
  byId("alert").hidden = !message;
  byId("correcting").hidden = false;
}

function saidOf(where) {
  const lines = [...byId("said").children].map((item) => item.dataset.line);
  const marks = lines.filter((line) => MARK.test(line)).length;
  const others = lines.length - marks;
  const parts = [(others || !marks) && counted(others, "correction", "corrections"), marks && counted(marks, "note, tag or check", "notes, tags or checks")];
  return `${parts.filter(Boolean).join(" and ")}, ${where}.`;
}

// The first page in view and its position, which notes above it change.
function placeInView() {
  const first = [...rowList.list.children].find((row) => row.getBoundingClientRect().bottom > 0);
  const focused = document.activeElement.closest(".row")?.id;
  return first ? { rank: Number(first.dataset.rank), top: first.getBoundingClientRect().top, focused } : null;
}

function backTo({ rank, top, focused }) {
  revealPage(rowOf.get(rank));
  const row = byId(`page-${rank}`);
  if (row) scrollTo({ top: scrollY + row.getBoundingClientRect().top - top, behavior: "instant" });
  if (focused) document.querySelector(`#${focused} > .pick`)?.focus({ preventScroll: true });
}

const CHANGED = 412;
const anchorOf = (rank) => people.get(data.own[rowOf.get(rank)])?.anchor;

// What this page shows, to be compared with what it shows once it is loaded again.
function standing(selected) {
  const said = [...byId("said").children].map((item) => [item.dataset.line, item.firstChild.textContent.trim()]);
  return { said, owners: ranks.map((rank) => [rank, anchorOf(rank)]), selected, called: byId("called").value };
}

const among = (texts) => texts.slice(0, 3).join("; ") + (texts.length > 3 ? ` and ${texts.length - 3} more` : "");

function tellWhatChanged({ said, owners, selected, called }) {
  const [before, now] = [new Map(said), new Map(standing().said)];
  const added = [...now].filter(([line]) => !before.has(line)).map(([, words]) => words);
  const removed = [...before].filter(([line]) => !now.has(line)).map(([, words]) => words);
  const moved = owners.filter(([rank, owner]) => owner !== anchorOf(rank)).length;
  const parts = [
    added.length && `corrections added: ${among(added)}`,
    removed.length && `corrections removed: ${among(removed)}`,
    moved && `${counted(moved, "page is", "pages are")} with another person`,
  ].filter(Boolean);
  byId("followed").textContent = `Changed by another window or program: ${parts.join("; ") || "nothing that is shown here"}.`;
  for (const rank of selected) tick(rowOf.get(rank));
  byId("called").value = called;
}

function offerReload(message, selected) {
  const button = make("button", "Reload, and see what changed", { type: "button" });
  button.addEventListener("click", () => {
    sessionStorage.setItem("weps-place", JSON.stringify({ ...placeInView(), before: standing(selected) }));
    location.reload();
  });
  warn(message, button);
}

// Whether the slider shows other people than those of the answer.
const isElsewhere = () => state.cut.held !== data.held;

// Where the focus goes after a correction, for what had it may be gone.
function focusAfter() {
  const from = document.activeElement.closest("#correcting, #cut, #proposals, .card")?.id ?? "";
  return { correcting: "undo", cut: "slider" }[from] ?? from;
}

function refocus(id) {
  const element = byId(id);
  const folded = element?.closest("details");
  if (folded) folded.open = true;
  (element?.querySelector(".choose, summary") ?? element)?.focus({ preventScroll: true });
}

// The app clusters again; the page keeps its scroll position, the slider's and the focus.
const app = {
  async fetched(url, options = {}) {
    const answer = await fetch(url, options).catch(() => {
      throw new Error("weps does not respond: is it still running in the terminal?");
    });
    if (answer.ok) return answer;
    throw Object.assign(new Error((await answer.json()).error ?? answer.statusText), { status: answer.status });
  },
  async send(correction) {
    const merges = isElsewhere() ? state.cut.held : null;
    const body = { pages: [], to: null, name: "", seen, merges, ...correction };
    const headers = { "Content-Type": "application/json", "X-Weps": "1" };
    const answer = await app.fetched(appUrl, { method: "POST", headers, body: JSON.stringify(body) });
    seen = (await answer.json()).version;
  },
  reload(place) {
    const shown = isElsewhere() && !place.home ? shownNow() : undefined;
    sessionStorage.setItem("weps-place", JSON.stringify({ ...place, shown, open: piles.map(({ open }) => open), ...placeInView() }));
    location.reload();
  },
  async add(correction) {
    if (document.body.hasAttribute("aria-busy")) return;
    const place = { focus: focusAfter(), home: correction.action === "threshold" };
    document.body.setAttribute("aria-busy", "true");
    try {
      await app.send(correction);
      app.reload(place);
    } catch (error) {
      document.body.removeAttribute("aria-busy");
      if (error.status === CHANGED) offerReload(error.message, correction.pages ?? []);
      else warn(error.message);
    }
  },
  // By their lines: another window may have added or removed some.
  undo: () => app.add({ action: "undo", name: byId("said").lastElementChild?.dataset.line ?? "" }),
  remove: (line) => app.add({ action: "remove", name: line }),
  // The notes at the head may be out of sight.
  tellWhatFollowed() {
    if (isElsewhere()) {
      byId("followed").textContent = "The correction applies at every position of the slider.";
      return;
    }
    const notes = [...document.querySelectorAll("#notes > ul > li")].map((note) => note.textContent);
    byId("followed").textContent = notes.filter((note) => note.startsWith(FOLLOWED)).join("");
    const others = document.querySelectorAll("#notes li").length - 1;
    if (others > 0) byId("followed").append(" ", make("a", `${others} more`, { href: "#notes" }));
  },
  start() {
    document.querySelector("#corrections .file").remove();
    byId("save").remove();
    byId("counted").textContent = saidOf("applied");
    showQuestions();
    showMarks();
    byId("learn")?.addEventListener("click", () => app.add({ action: "learn" }));
    for (const item of byId("said").children) {
      const name = item.dataset.line;
      const button = make("button", "Remove", { type: "button", "aria-label": `Remove: ${item.textContent}` });
      button.addEventListener("click", () => app.remove(name));
      item.append(" ", button);
    }
    const place = JSON.parse(sessionStorage.getItem("weps-place"));
    sessionStorage.removeItem("weps-place");
    if (!place) return;
    if (place.shown) showAt(positionLike(place.shown));
    piles.forEach((pile, at) => { pile.open = place.open?.[at]; });
    requestAnimationFrame(() => {
      if (place.rank !== undefined) backTo(place);
      refocus(place.focus);
    });
    if (place.before) tellWhatChanged(place.before);
    else app.tellWhatFollowed();
  },
};

// The page keeps them until they are saved; the answer stays as it is.
const file = {
  answered: null, // corrections applied in the answer
  add(correction) {
    const focus = focusAfter();
    const lines = sentences[correction.action](correction);
    byId("said").append(...lines.map(({ line, words }) => make("li", words, { "data-line": line })));
    file.show();
    refocus(focus);
  },
  undo() {
    byId("said").lastElementChild?.remove();
    file.show();
  },
  remove(line) {
    [...byId("said").children].find((item) => item.dataset.line === line).remove();
    file.show();
  },
  show() {
    const lines = [...byId("said").children].map((item) => item.dataset.line);
    const text = fileOf(lines);
    file.answered ??= text;
    byId("file").value = text;
    URL.revokeObjectURL(byId("save").href);
    byId("save").href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    byId("save").hidden = text === file.answered;
    byId("counted").textContent = saidOf(text === file.answered ? "applied" : "not yet applied");
    showQuestions();
    showMarks();
    showSelection();
  },
  start() {
    const name = document.querySelector("h1").textContent.trim();
    byId("save").download = `${name.replace(/[^\p{L}\p{N}]+/gu, "_")}.corrections.txt`;
    file.show();
  },
};

const backend = appUrl ? app : file;
