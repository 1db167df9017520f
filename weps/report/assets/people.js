// The people of a cut: which rows are shown, in which order, how sure.
const isUnsure = (node, cut, assessed) => cut.members.get(node).every((row) => assessed[row][0] < 0.5);

// Larger people first, those all of whose pages are unsure last; ties by the earlier page.
function inOrder(cut, assessed) {
  if (cut.held === data.held) return data.people;
  const keyed = [...cut.members].map(([node, together]) => ({
    node,
    keys: [Number(isUnsure(node, cut, assessed)), -together.length, together[0]],
  }));
  keyed.sort(({ keys: one }, { keys: other }) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
  return keyed.map(({ node }) => node);
}

function makeCard(node) {
  const { anchor, tone, number, pages: counts, years, places, sure } = people.get(node);
  const facts = [make("b", counts), " ", years && make("span", years, { class: "years" }), years && " ",
    ...places.flatMap((place) => [make("bdi", place), " "]), make("span", sure.replace(/^one person: | [(].*/g, ""), { class: "sure" })];
  const parts = [
    make("h3", [make("a", labelled(node), { class: "choose", href: `#${anchor}` })]),
    make("p", facts, { class: "facts" }),
  ];
  const kind = number > 1 ? "several" : "one";
  return make("article", parts, { class: `card ${kind} ${tone}`, id: anchor, "data-node": node });
}

// The element of a person.
function cardOf(node) {
  const person = people.get(node);
  if (person.picker) return person.element;
  person.element ??= makeCard(node);
  person.picker = picker(labelOf(node), "nodes", node);
  person.element.prepend(person.picker);
  return person.element;
}

// The probable people among the pages of a person, as cards within the card.
function makeParts(node, cards) {
  const within = new Set(people.get(node).parts.flatMap(rowsOf));
  const others = rowsOf(node).filter((row) => !within.has(row)).map((row) => ranks[row]);
  const further = ascending(others).flatMap((rank) => [" ", linkToPage(rank)]);
  return make("div", [...cards, further.length ? make("p", ["Further pages:", ...further]) : ""], { class: "parts" });
}

function showParts(node) {
  const { element, parts } = people.get(node);
  const cards = parts.map(cardAt);
  const shown = element.querySelector(":scope > .parts");
  if (!cards.length || (shown && cards.every((card) => card.parentNode === shown))) return;
  shown?.remove();
  element.append(makeParts(node, cards));
}

// What a person of several pages is does not depend on the cut; how sure a single page is does.
function cardAt(node) {
  const card = cardOf(node);
  showParts(node);
  const [score] = node < size ? state.assessed[node] : [];
  if (marksOf.person.size) markPerson(node);
  if (node < size) card.querySelector(".sure").textContent = `${inWords(score)}, ${percent(score)}`;
  return card;
}

const peopleLists = [byId("sure"), document.querySelector("#unsure > div")].filter(Boolean)
  .map((list) => new Portions(list, ["person", "people"], cardAt));

// Those of the cut that some of the pages found are of.
function showPeople(nodes) {
  const unsure = new Set(nodes.filter((node) => isUnsure(node, state.cut, state.assessed)));
  const parted = [nodes.filter((node) => !unsure.has(node)), [...unsure]];
  peopleLists.forEach((list, at) => list.show(parted[at]));
  if (peopleLists.length) byId("unsure").hidden = unsure.size === 0;
}

function showFigures(cut, assessed) {
  const unsure = assessed.filter(([score]) => score < 0.5).length;
  const figures = { pages: size, people: cut.members.size, singles: cut.alone, unsure };
  for (const item of document.querySelectorAll("[data-figure]")) {
    const number = figures[item.dataset.figure];
    item.hidden = number === 0;
    item.querySelector("b").textContent = figure(number);
    item.querySelector("span").textContent = number === 1 ? item.dataset.one : item.dataset.many;
  }
}

// A bar as long as all pages, with a part for each person who has several.
function showStrip(cut, assessed) {
  const strip = byId("strip");
  if (!strip) return;
  let start = 0;
  strip.replaceChildren(...inOrder(cut, assessed).filter((node) => cut.members.get(node).length > 1).map((node) => {
    const width = cut.members.get(node).length;
    const thin = width * 300 < size ? " thin" : "";
    const part = draw("rect", { class: toneOf(node) + thin, x: start, width, height: 10 });
    start += width;
    return part;
  }));
}
