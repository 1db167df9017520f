// The stopping threshold: the number of merges kept, and the effect of the next step.
const slider = byId("slider");

function level(cut) {
  const folk = counted(cut.members.size, "person", "people");
  return cut.alone ? `${folk}, ${figure(cut.alone)} with one page` : folk;
}

function described(node) {
  const { pages: number } = people.get(node);
  return briefOf(node) === number ? number : `${briefOf(node)} (${number})`;
}

const STEPS = {
  part: { head: "One more person", between: "apart from" },
  join: { head: "One fewer", between: "with" },
};

function step(verb, merge, possible) {
  const button = byId(verb);
  button.disabled = !possible;
  if (!possible) {
    button.textContent = `Nothing left to ${verb}`;
    return;
  }
  const { head, between } = STEPS[verb];
  const [first, second] = data.nodes[merge];
  const begin = make("b", `${head} (${percent(data.levels[merge])}):`);
  button.replaceChildren(begin, ` ${described(first)} ${between} ${described(second)}`);
}

// A merge threshold as a correction says it.
const percentOf = (threshold) => `${Number((100 * threshold).toPrecision(4))}%`;
const thresholdOf = (cut) => data.thresholds[cut.held - data.least];

// Whether the position is the answer's, and whether it can become that.
function showChoice(cut) {
  const away = cut.held !== data.held;
  const threshold = thresholdOf(cut);
  byId("more-or-fewer").open ||= away;
  byId("home").hidden = byId("use").hidden = byId("use-text").hidden = !away;
  byId("use").disabled = !threshold;
  byId("use-text").textContent = threshold
    ? `Every later run then merges down to a probability of ${percentOf(threshold)}.`
    : "This position cannot be kept: the next merge is as probable as the last one.";
  byId("kept-cut").hidden = away || !data.chosen;
  byId("kept-cut").firstElementChild.textContent = `This is your choice: merge threshold ${percentOf(data.chosen)}.`;
}

function showSteps(cut) {
  slider.value = cut.held;
  slider.setAttribute("aria-valuetext", level(cut));
  byId("cut-text").textContent = level(cut);
  showChoice(cut);
  step("part", cut.held - 1, cut.held > data.least);
  step("join", cut.held, cut.held < data.most);
}

// Everything that depends on the cut.
function show(cut) {
  state.cut = cut;
  state.assessed = assess(cut);
  showFigures(cut, state.assessed);
  showStrip(cut, state.assessed);
  showTree(cut);
  showSteps(cut);
  choose(state.chosen);
  showQuestions();
  cutChanged();
}

const showAt = (held) => show(held === data.held ? Cut.asAnswered() : Cut.after(held));

let waiting = 0;
function cutAt(held) {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(() => showAt(held));
}

// The person of each page, by rank: what a position is found again by after a correction.
const shownNow = () => Object.fromEntries(ranks.map((rank, row) => [rank, state.cut.own[row]]));

// How many pairs of pages are together at the cut or in what was shown, but not in both, less a constant.
function difference(cut, shown) {
  let [ours, common] = [0, 0];
  for (const together of cut.members.values()) {
    const counts = new Map();
    for (const row of together) counts.set(shown[ranks[row]], (counts.get(shown[ranks[row]]) ?? 0) + 1);
    ours += together.length ** 2;
    for (const count of counts.values()) common += count ** 2;
  }
  return ours - 2 * common;
}

// The position whose people differ least from those that were shown.
function positionLike(shown) {
  let best = { held: data.held, less: Infinity };
  for (let held = data.least; held <= data.most; held += 1) {
    const less = difference(Cut.after(held), shown);
    if (less < best.less) best = { held, less };
  }
  return best.held;
}

function startSlider() {
  if (!data.nodes?.length) return;
  Object.assign(slider, { min: data.least, max: data.most, value: data.held });
  byId("choice").firstElementChild.value = data.held;
  byId("more-or-fewer").hidden = false;
  byId("cut").addEventListener("submit", (event) => event.preventDefault());
  slider.addEventListener("input", () => cutAt(Number(slider.value)));
  byId("home").addEventListener("click", () => { cutAt(data.held); slider.focus(); });
  byId("use").addEventListener("click", () => backend.add({ action: "threshold", threshold: thresholdOf(state.cut) }));
  byId("release")?.addEventListener("click", () => backend.add({ action: "remove", name: `threshold ${data.chosen}` }));
  byId("part").addEventListener("click", () => cutAt(state.cut.held - 1));
  byId("join").addEventListener("click", () => cutAt(state.cut.held + 1));
  showSteps(state.cut);
}
