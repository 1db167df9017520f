// The data of the page: numbers from its data block, elements by row and by node.
const data = JSON.parse(document.getElementById("numbers").textContent);
const rows = [...document.querySelectorAll(".row")];
const ranks = rows.map((row) => Number(row.dataset.rank));
const rowOf = new Map(ranks.map((rank, row) => [rank, row]));
const cards = new Map([...document.querySelectorAll(".card")].map((card) => [Number(card.dataset.node), card]));
const asideOf = new Map([...document.querySelectorAll("#set-aside li")].map((item) => [Number(item.dataset.rank), item]));
const size = rows.length;
const byId = (id) => document.getElementById(id);

const nodeOf = (card) => Number(card.dataset.node);
const links = new Map([...cards].map(([node, card]) => [node, card.querySelector(".choose")]));
const linkOf = (node) => links.get(node);
const labelOf = (node) => linkOf(node).textContent;
const briefOf = (node) => labelOf(node).split(" · ").slice(0, 2).join(" · ");
const tones = new Map([...cards].map(([node, card]) => [node, card.className.match(/tone-\w+/)[0]]));
const toneOf = (node) => tones.get(node);
const titleOf = (row) => rows[row].querySelector(".title").textContent;

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

const counted = (number, one, many) => `${number} ${number === 1 ? one : many}`;

function make(tag, text = "", attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function draw(tag, attributes = {}, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}
