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

function showSteps(cut) {
  slider.value = cut.held;
  slider.setAttribute("aria-valuetext", level(cut));
  byId("cut-told").textContent = level(cut);
  byId("home").hidden = cut.held === data.held;
  step("part", cut.held - 1, cut.held > data.least);
  step("join", cut.held, cut.held < data.most);
}

// Everything that depends on the cut.
function show(cut) {
  state.cut = cut;
  state.told = assess(cut);
  showFigures(cut, state.told);
  showStrip(cut, state.told);
  showTree(cut);
  showSteps(cut);
  choose(state.chosen);
  cutChanged();
}

let waiting = 0;
function cutAt(held) {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(() => show(held === data.held ? Cut.asAnswered() : Cut.after(held)));
}

function startSlider() {
  if (!data.nodes?.length) return;
  Object.assign(slider, { min: data.least, max: data.most, value: data.held });
  byId("choice").firstElementChild.value = data.held;
  byId("cut").hidden = false;
  byId("cut").addEventListener("submit", (event) => event.preventDefault());
  slider.addEventListener("input", () => cutAt(Number(slider.value)));
  byId("home").addEventListener("click", () => { cutAt(data.held); slider.focus(); });
  byId("part").addEventListener("click", () => cutAt(state.cut.held - 1));
  byId("join").addEventListener("click", () => cutAt(state.cut.held + 1));
  showSteps(state.cut);
}
