// The app's questions, one at a time: are these two pages about the same person?
const panel = byId("asking");
const asking = { past: [], now: null, busy: false };

const saved = () => asking.past.filter(({ line }) => line).length;
const part = (name) => panel.querySelector(`[data-reply="${name}"]`);

// Title and address lead to the page in another tab, for the questions are in this one.
function makeAsked({ rank, title, link, place, excerpt }) {
  const shown = make("bdi", title);
  const head = link ? make("a", [shown], { href: link, target: "_blank", ...WEB }) : shown;
  const words = excerpt.map(([text, isName]) => (isName ? make("mark", text) : text));
  return make("article", [
    make("h3", [make("span", rank, { class: "rank" }), " ", head]),
    place && make("p", [make("bdi", place)], { class: "where" }),
    make("p", words.length ? words : "(no text)", { class: "excerpt" }),
  ]);
}

function showAsked() {
  const { past, now } = asking;
  const most = Number(panel.dataset.most);
  const count = saved();
  const kept = count ? ` ${counted(count, "answer", "answers")} saved.` : "";
  byId("asking-status").textContent = now
    ? `Question ${past.length + 1} of ${most}.${kept}`
    : `There are no further questions.${kept}`;
  panel.querySelector("h2").hidden = panel.querySelector(".answers").hidden = !now;
  panel.querySelector(".asked").replaceChildren(...(now ?? []).map(makeAsked));
  panel.querySelector(".evidence").replaceChildren(...(now?.evidence ?? []).map((line) => make("li", line)));
  part("undo").hidden = past.length === 0;
  part("stop").textContent = now ? "Stop" : "Close";
  if (!now) part("stop").focus();
}

async function fetchQuestion() {
  const pairs = asking.past.map(({ pages: two }) => `asked=${two.map(({ rank }) => rank).join("-")}`);
  if (pairs.length >= Number(panel.dataset.most)) return null;
  const found = await (await app.fetched(`${byId("ask").dataset.url}?${pairs.join("&")}`)).json();
  return found.pages.length ? Object.assign(found.pages, { evidence: found.evidence }) : null;
}

// An answer is a correction; of the last one, undoing it asks again.
const replies = {
  async answer(action) {
    const chosen = asking.now.map(({ rank }) => rank);
    const line = action === "unknown" ? "" : sentences[action]({ pages: chosen, sides: chosen.map((rank) => [rank]) })[0].line;
    if (line) await app.send({ action, pages: chosen, merges: null });
    asking.past.push({ pages: asking.now, line });
    asking.now = await fetchQuestion();
  },
  async undo() {
    const { pages: two, line } = asking.past.at(-1);
    if (line) await app.send({ action: "undo", name: line });
    asking.past.pop();
    asking.now = two;
    part("join").focus();
  },
};

async function reply(name) {
  if (asking.busy) return;
  if (name === "stop") {
    panel.close();
    return;
  }
  asking.busy = true;
  panel.setAttribute("aria-busy", "true");
  const alert = panel.querySelector(".alert");
  alert.hidden = true;
  try {
    await (replies[name] ?? (() => replies.answer(name)))();
    showAsked();
  } catch (error) {
    alert.textContent = error.message;
    alert.hidden = false;
  }
  asking.busy = false;
  panel.removeAttribute("aria-busy");
}

async function startAsking() {
  Object.assign(asking, { past: [], now: null });
  try {
    asking.now = await fetchQuestion();
  } catch (error) {
    warn(error.message);
    return;
  }
  panel.showModal();
  showAsked();
}

// The report behind is of the answer before: it comes again.
function offerQuestions() {
  if (!panel) return;
  byId("ask").addEventListener("click", startAsking);
  panel.addEventListener("click", ({ target }) => target.dataset.reply && reply(target.dataset.reply));
  panel.addEventListener("close", () => saved() && app.reload({ focus: "ask" }));
}
