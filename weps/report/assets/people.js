// The people of a cut: which cards are shown, in which order, how sure.
const sureOnes = byId("sure");
const unsureOnes = document.querySelector("#unsure > div");

const isUnsure = (node, cut, told) => cut.members.get(node).every((row) => told[row][0] < 0.5);

// Larger people first, those all of whose pages are unsure last; ties by the earlier page.
function inOrder(cut, told) {
  if (cut.held === data.held) return data.people;
  const keyed = [...cut.members].map(([node, together]) => ({
    node,
    keys: [Number(isUnsure(node, cut, told)), -together.length, together[0]],
  }));
  keyed.sort(({ keys: one }, { keys: other }) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
  return keyed.map(({ node }) => node);
}

// The parts that the script adds to a card once it is shown.
const dressed = new Set();
function dress(node) {
  if (dressed.has(node)) return;
  dressed.add(node);
  cards.get(node).prepend(picker(labelOf(node), "nodes", node));
  offerNetwork(node);
  listPages(cards.get(node), state.cut.members.get(node));
}

function showPeople(cut, told) {
  const shown = new Set(cut.members.keys());
  const hidden = byId("others");
  for (const [node, card] of cards) if (!shown.has(node) && card.parentElement !== hidden) hidden.append(card);
  const order = { sure: [], unsure: [] };
  for (const node of inOrder(cut, told)) {
    const card = cards.get(node);
    // What a person of several pages is does not depend on the cut; how sure a single page is does.
    if (node < size) card.querySelector(".sure").textContent = `${inWords(told[node][0])}, ${percent(told[node][0])}`;
    dress(node);
    order[isUnsure(node, cut, told) ? "unsure" : "sure"].push(card);
  }
  sureOnes.replaceChildren(...order.sure);
  unsureOnes.replaceChildren(...order.unsure);
  byId("unsure").hidden = order.unsure.length === 0;
}

function listPages(card, together) {
  const list = card.querySelector(".ranks span");
  if (!list || list.childElementCount) return;
  for (const row of together) list.append(make("a", ranks[row], { href: `#page-${ranks[row]}` }), " ");
}

function showFigures(cut, told) {
  const unsure = told.filter(([score]) => score < 0.5).length;
  const figures = { pages: size, people: cut.members.size, singles: cut.alone, unsure };
  for (const item of document.querySelectorAll("[data-figure]")) {
    const number = figures[item.dataset.figure];
    item.hidden = number === 0;
    item.querySelector("b").textContent = number;
    item.querySelector("span").textContent = number === 1 ? item.dataset.one : item.dataset.many;
  }
}

// A bar as long as all pages, with a part for each person who has several.
function showStrip(cut, told) {
  const strip = byId("strip");
  if (!strip) return;
  let start = 0;
  strip.replaceChildren(...inOrder(cut, told).filter((node) => cut.members.get(node).length > 1).map((node) => {
    const width = cut.members.get(node).length;
    const part = draw("rect", { class: toneOf(node), x: start, width, height: 10 });
    start += width;
    return part;
  }));
}
