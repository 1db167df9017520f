// Where corrections go: to the app that shows the page, or into a file to save.
const FOLLOWED = "After your last correction";
const seen = document.querySelector('meta[name="weps-version"]')?.content;
const appUrl = document.querySelector('meta[name="weps-corrections"]')?.content;

function warn(message) {
  byId("alert").textContent = message;
  byId("alert").hidden = !message;
  byId("correcting").hidden = false;
}

const saidOf = (where) => `${counted(byId("said").childElementCount, "correction", "corrections")}, ${where}.`;

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

// The app clusters again; the page keeps its scroll position.
const app = {
  async add(correction) {
    const body = { pages: [], to: null, name: "", seen, ...correction };
    const headers = { "Content-Type": "application/json", "X-Weps": "1" };
    document.body.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(appUrl, { method: "POST", headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error((await answer.json()).error ?? answer.statusText);
      sessionStorage.setItem("weps-place", JSON.stringify(placeInView()));
      location.reload();
    } catch (error) {
      warn(error.message);
    } finally {
      document.body.removeAttribute("aria-busy");
    }
  },
  // By their lines: another window may have added or removed some.
  undo: () => app.add({ action: "undo", name: byId("said").lastElementChild?.dataset.line ?? "" }),
  // The notes at the head may be out of sight.
  tellWhatFollowed() {
    const notes = [...document.querySelectorAll("#notes > ul > li")].map((note) => note.textContent);
    byId("followed").textContent = notes.filter((note) => note.startsWith(FOLLOWED)).join("");
    const others = document.querySelectorAll("#notes li").length - 1;
    if (others > 0) byId("followed").append(" ", make("a", `${others} more`, { href: "#notes" }));
  },
  start() {
    document.querySelector("#corrections .file").remove();
    byId("save").remove();
    byId("counted").textContent = saidOf("in the answer");
    for (const item of byId("said").children) {
      const name = item.dataset.line;
      const button = make("button", "Remove", { type: "button", "aria-label": `Remove: ${item.textContent}` });
      button.addEventListener("click", () => app.add({ action: "remove", name }));
      item.append(" ", button);
    }
    const place = JSON.parse(sessionStorage.getItem("weps-place"));
    sessionStorage.removeItem("weps-place");
    if (!place) return;
    requestAnimationFrame(() => backTo(place));
    app.tellWhatFollowed();
  },
};

// The page keeps them until they are saved; the answer stays as it is.
const file = {
  answered: null, // corrections applied in the answer
  add(correction) {
    const lines = sentences[correction.action](correction);
    byId("said").append(...lines.map(({ line, words }) => make("li", words, { "data-line": line })));
    file.show();
  },
  undo() {
    byId("said").lastElementChild?.remove();
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
    byId("counted").textContent = saidOf(text === file.answered ? "in the answer" : "not yet in the answer");
    showSelection();
  },
  start() {
    const name = document.querySelector("h1").textContent.trim();
    byId("save").download = `${name.replace(/[^\p{L}\p{N}]+/gu, "_")}.corrections.txt`;
    file.show();
  },
};

const backend = appUrl ? app : file;
