// Pages by row and people by node: read from the report if it is small, else from its data.
const data = parsed(numberBytes);
const size = data.own.length;
const byId = (id) => document.getElementById(id);

// As Python rounds: halves to the even number.
function rounded(number) {
  const up = Math.round(number);
  return up - number === 0.5 && up % 2 ? up - 1 : up;
}

function percent(probability) {
  const whole = rounded(100 * probability);
  const open = probability > 0 && probability < 1;
  return `${open ? Math.min(Math.max(whole, 1), 99) : whole}%`;
}

const figure = (number) => number.toLocaleString("en");
const counted = (number, one, many) => `${figure(number)} ${number === 1 ? one : many}`;

function make(tag, content = "", attributes = {}) {
  const element = document.createElement(tag);
  if (Array.isArray(content)) element.append(...content.filter((each) => each || each === 0));
  else element.textContent = content;
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  return element;
}

function draw(tag, attributes = {}, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

function shortened(text, longest) {
  return text.length > longest ? `${text.slice(0, longest - 1).trimEnd()}…` : text;
}

const textOf = (element, part) => element.querySelector(part)?.textContent ?? "";
const SEARCHED = [".title", ".where", ".excerpt", ".note"];

function readPage(element) {
  const { rank, fingerprint = "" } = element.dataset;
  const own = element.querySelector(".what") ?? element; // without near-duplicates
  const live = own.querySelector("a.live")?.getAttribute("href") ?? "";
  const saved = own.querySelector("a.title")?.getAttribute("href") ?? "";
  const words = SEARCHED.map((part) => textOf(own, part)).join(" ").toLowerCase();
  const noted = Boolean(own.querySelector(".note"));
  const domain = textOf(own, ".where b");
  return { rank: Number(rank), fingerprint, saved, live, domain, title: textOf(own, ".title"), words, noted, element };
}

function unpackedPage(fields) {
  const [rank, fingerprint = "", title = "", saved = "", live = "", domain = "", path = "", day = ""] = fields;
  const [excerpt = "", caution = "", problem = ""] = fields.slice(8);
  const words = [title, domain + path, day, excerpt.replaceAll("\n", ""), caution, problem].join(" ").toLowerCase();
  const noted = Boolean(caution || problem);
  return { rank, fingerprint, title, saved, live, domain, path, day, excerpt, caution, problem, words, noted };
}

// With what is shown of a page: its person, and the figures at the cut.
const pages = data.pages ? data.pages.map(unpackedPage) : [...document.querySelectorAll(".row")].map(readPage)
  .sort((one, other) => one.rank - other.rank)
  .map((page, row) => ({ ...page, node: data.own[row], shown: data.assessed[row] }));
const ranks = pages.map(({ rank }) => rank);
const rowOf = new Map(ranks.map((rank, row) => [rank, row]));
const titleOf = (row) => pages[row].title;
const originalOf = new Map(data.copies); // near-duplicate → the first of them

// Set aside: by rank.
const asideOf = new Map([...document.querySelectorAll("#set-aside li")].map(readPage).map((page) => [page.rank, page]));
const pageOf = (rank) => pages[rowOf.get(rank)] ?? asideOf.get(rank);

function unpackedFact([what, value, detail, certainty, contradicted, on, ...sources]) {
  const said = sources.flatMap((rank, at) => (at % 2 ? [] : [[rank, data.sentences[sources[at + 1]]]]));
  return { what, value, detail, certainty, contradicted, ranks: on, sources: said };
}

function unpackedCard(fields) {
  const [node, person, tone, number, label, words = [], named = [], query = "", outcome = ""] = fields;
  const [years = "", places = [], facts = [], sure = "", one = "", parts = []] = fields.slice(9);
  const counts = node < size && number === 1 ? `page ${ranks[node]}` : counted(number, "page", "pages");
  const names = () => named.map((place) => data.names[place]).map(([kind, text, on]) => ({ kind, text, ranks: on }));
  const anchor = person ? `person-${person}` : `group-${node}`;
  const element = byId(anchor) ?? undefined; // of a small report
  return { node, person, anchor, tone, number, label, words, names, query, outcome, years, places, facts: facts.map(unpackedFact), sure, one, parts, pages: counts, element };
}

const people = new Map(data.cards.map(unpackedCard).map((person) => [person.node, person]));
const nodeAt = new Map([...people.values()].map(({ anchor, node }) => [`#${anchor}`, node]));
const nodeOf = (card) => Number(card.dataset.node);
const labelOf = (node) => people.get(node).label.join(" · ");
const briefOf = (node) => people.get(node).label.slice(0, 2).join(" · ").split("; ")[0];
const toneOf = (node) => people.get(node).tone;

// The label of a person, its parts set apart.
const labelled = (node) => people.get(node).label.flatMap((part, at) => [at ? " · " : "", make("bdi", part)]);
