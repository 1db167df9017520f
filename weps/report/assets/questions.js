// Questions about people: may one be two, may two be one? An answer is a correction.
const LIKELY_TWO = 0.5; // a person whose last merge is less probable may be two people
const CERTAIN_ONE = 0.9; // the last merge of the answer is asked about if it is less probable
const LIKELY_ONE = 0.25; // the next merge is asked about if it is as probable

// A group, with a link to its card if there is one.
function groupOf(node) {
  const { anchor, pages: number } = people.get(node);
  const [name, href] = [briefOf(node), state.cut.rows(node) ? `#${anchor}` : undefined];
  return [make(href ? "a" : "b", [make("bdi", name)], { href }), name === number ? "" : ` (${number})`];
}
const rowsOf = (node) => (node < size ? [node] : data.nodes[node - size].flatMap(rowsOf));

// The question of a merge: its groups, and whether the cut has them together.
function questionOf(merge, together) {
  const parts = data.nodes[merge];
  const sides = parts.map((part) => ascending(rowsOf(part).map((row) => ranks[row])));
  const level = data.levels[merge];
  return { merge, together, parts, sides, level, typical: ascending(sides.map(typicalOf)) };
}

// Those of people who may be two are not asked about where corrections have settled that.
function splitQuestion(node) {
  const { cut } = state;
  const merge = node - size;
  if (merge < data.least || merge >= data.most) return null;
  const surest = merge === cut.held - 1 ? CERTAIN_ONE : LIKELY_TWO;
  return data.levels[merge] < surest && data.nodes[merge].every((part) => people.has(part)) ? questionOf(merge, true) : null;
}

// The merge most likely missing.
function mergeQuestion() {
  const { cut } = state;
  if (!(cut.held < data.most) || data.levels[cut.held] < LIKELY_ONE) return null;
  return questionOf(cut.held, false);
}

// The corrections that answer a question; in the app the sides are people before the merge.
const answersTo = ({ merge, sides, typical }) => ({
  same: { action: "join", pages: typical },
  different: { action: "different", pages: ascending(sides.flat()), sides, merges: merge },
});

function isAnswered(question) {
  const said = new Set([...byId("said").children].map((item) => item.dataset.line));
  return Object.values(answersTo(question)).some((answer) => sentences[answer.action](answer).every(({ line }) => said.has(line)));
}

function makeQuestion(question) {
  const { together, parts, level } = question;
  const words = together
    ? ["May be two people: ", ...groupOf(parts[0]), " and ", ...groupOf(parts[1]), ". Split?"]
    : [`May be one person (${percent(level)}): `, ...groupOf(parts[0]), " and ", ...groupOf(parts[1]), ". Merge?"];
  const sentence = make("p", words, { id: `question-${question.merge}` });
  const answers = answersTo(question);
  const button = (label, answer) => {
    const made = make("button", label, { type: "button", "aria-describedby": sentence.id });
    made.addEventListener("click", () => backend.add(answer));
    return made;
  };
  const buttons = together
    ? [button("Split", answers.different), button("They are one person", answers.same)]
    : [button("Merge", answers.same), button("They are two people", answers.different)];
  return make("div", [sentence, make("p", buttons, { class: "choices" })], { class: "question" });
}

// Those about the people of the cut.
function showQuestions() {
  const nodes = data.nodes ? [...state.cut.members.keys()] : [];
  const found = [...nodes.map(splitQuestion), data.nodes && mergeQuestion()].filter((each) => each && !isAnswered(each));
  const box = byId("proposals");
  box.hidden = found.length === 0;
  box.querySelector("summary").textContent = counted(found.length, "proposal", "proposals");
  box.querySelector("div").replaceChildren(...found.map(makeQuestion));
}
