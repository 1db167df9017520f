// Notes, tags and checks of pages and people: lines of the corrections that change no answer.
const MARK = /^(person-)?(note|tag|checked) ([\d ]+)(?:: (.+))?$/;
const LONGEST_TAG = 60;
let marksOf = { page: new Map(), person: new Map() }; // rank → marks, oldest first

function readMarks() {
  marksOf = { page: new Map(), person: new Map() };
  for (const { dataset: { line }, firstChild: { textContent } } of byId("said").children) {
    const [found, person, kind, on, text = "Checked"] = line.match(MARK) ?? [];
    const map = person ? marksOf.person : marksOf.page;
    for (const rank of found ? on.split(" ").map(Number) : []) {
      map.set(rank, [...(map.get(rank) ?? []), { line, kind, text, words: textContent.trim() }]);
    }
  }
}

// Whether a note or tag of a page, or of its person, has the words looked for.
function isMarked(row, wanted) {
  const { own } = state.cut;
  const ofPerson = [...marksOf.person].filter(([rank]) => own[rowOf.get(rank)] === own[row]).map(([, marks]) => marks);
  return [marksOf.page.get(ranks[row]) ?? [], ...ofPerson].flat().some(({ text }) => text.toLowerCase().includes(wanted));
}

function makeMark({ line, kind, text, words }) {
  const button = make("button", "×", { type: "button", class: "plain", title: "Remove", "aria-label": `Remove: ${words}` });
  button.addEventListener("click", () => backend.remove(line));
  return make("span", [make("bdi", text), button], { class: `mark ${kind}` });
}

// Puts the marks behind a part of an element, in place of those that it has.
function putMarks(element, part, marks = []) {
  element.querySelector(":scope > .marks, :scope > div > .marks:not(.parts *)")?.remove();
  if (marks.length) part.after(make("p", marks.map(makeMark), { class: "marks" }));
}

function markPage({ rank, element }) {
  putMarks(element, element.querySelector(".place") ?? element.querySelector(".title"), marksOf.page.get(rank));
}

function markPerson(node) {
  const { element } = people.get(node);
  const rows = state.cut.members.get(node) ?? [];
  putMarks(element, element.querySelector("h3"), rows.flatMap((row) => marksOf.person.get(ranks[row]) ?? []));
}

// Everything that has been made, after a change.
function showMarks() {
  readMarks();
  for (const page of [...pages, ...asideOf.values()]) if (page.element) markPage(page);
  for (const [node, { element }] of people) if (element) markPerson(node);
}

// What is selected is marked: pages or, by a typical page of each, people.
const markable = () => picked.nodes.size > 0 !== picked.rows.size + picked.aside.size > 0;
const remark = () => byId("remark").value.trim().replace(/\s+/g, " ");

function marking(kind) {
  const people = picked.nodes.size > 0;
  const on = people ? ascending([...picked.nodes].map((node) => typicalOf(ranksOf(node)))) : ascending([...pagesPicked(), ...picked.aside]);
  return { action: people ? `person-${kind}` : kind, pages: on, ...(kind === "checked" ? {} : { name: remark() }) };
}
