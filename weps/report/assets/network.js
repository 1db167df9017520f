// The network of a person's context entities, from the names on the person's card.
const WIDE = 720;
const HIGH = 520;
const LONGEST_NAME = 26;

function shortened(text, longest) {
  return text.length > longest ? `${text.slice(0, longest - 1).trimEnd()}…` : text;
}

// The first of these people, and how many more there are.
function around(nodes, most, longest) {
  const shown = nodes.slice(0, most).map((node) => shortened(briefOf(node), longest)).join(", ");
  return nodes.length > most ? `${shown} and ${nodes.length - most} more` : shown;
}

const same = (one, other) => one.text === other.text && one.kind === other.kind;

// The names of a person's context, each with the other displayed people that share it.
function namesAround(node) {
  const others = [...state.cut.members.keys()].filter((other) => other !== node);
  const theirs = others.map((other) => [other, people.get(other).names()]);
  return namesOf(node).map((named) => ({
    ...named,
    also: theirs.filter(([, names]) => names.some((each) => same(each, named))).map(([other]) => other),
  }));
}

// On either side of the middle names are spread from top to bottom, on an ellipse.
function placed(names) {
  const half = Math.ceil(names.length / 2);
  return names.map((named, at) => {
    const right = at < half;
    const side = right ? half : names.length - half;
    const place = right ? at : names.length - 1 - at;
    const height = side === 1 ? 0 : (2 * place) / (side - 1) - 1;
    const width = 95 + 60 * Math.sqrt(1 - 0.9 * height * height);
    return { ...named, right, x: WIDE / 2 + (right ? width : -width), y: HIGH / 2 + height * (HIGH / 2 - 34) };
  });
}

const shapes = {
  person: (x, y) => draw("circle", { cx: x, cy: y, r: 7 }),
  organisation: (x, y) => draw("rect", { x: x - 6, y: y - 6, width: 12, height: 12 }),
  location: (x, y) => draw("path", { d: `M${x} ${y - 8}L${x + 8} ${y}L${x} ${y + 8}L${x - 8} ${y}Z` }),
};

function line(from, to, kind, pages) {
  const sag = kind === "shared" ? 14 : 0;
  const middle = `${(from.x + to.x) / 2} ${(from.y + to.y) / 2 + sag}`;
  const d = `M${from.x} ${from.y}Q${middle} ${to.x} ${to.y}`;
  return draw("path", { class: kind, d, "stroke-width": Math.min(1 + pages * 0.8, 8) });
}

function shared(names) {
  return names.flatMap((one, at) => names.slice(at + 1).map((other) => {
    const pages = one.ranks.filter((rank) => other.ranks.includes(rank)).length;
    return pages ? line(one, other, "shared", pages) : null;
  })).filter(Boolean);
}

function drawn({ text, kind, also, right, x, y }) {
  const group = draw("g", { class: `name ${kind}` });
  const beside = { x: x + (right ? 16 : -16), "text-anchor": right ? "start" : "end" };
  const place = { ...beside, y: y + (also.length ? 0 : 4) };
  group.append(shapes[kind](x, y), draw("text", place, shortened(text, LONGEST_NAME)));
  if (also.length) {
    const small = { ...beside, class: "small", y: y + 13 };
    group.prepend(draw("circle", { class: "ring", cx: x, cy: y, r: 12 }));
    group.append(draw("text", small, `also ${around(also, 1, 22)}`));
  }
  return group;
}

function picture(node, shown) {
  const names = placed(shown);
  const middle = { x: WIDE / 2, y: HIGH / 2 };
  const svg = draw("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", class: toneOf(node) });
  svg.setAttribute("aria-label", "Network of names; the list below says the same");
  svg.append(...names.map((each) => line(middle, each, "spoke", each.ranks.length)), ...shared(names));
  svg.append(draw("circle", { class: "middle", cx: middle.x, cy: middle.y, r: 12 }));
  const below = { class: "middle", x: middle.x, y: middle.y + 30, "text-anchor": "middle" };
  svg.append(draw("text", below, shortened(briefOf(node), 30)), ...names.map(drawn));
  return svg;
}

// The list on the card, with the other people that share each name.
function listed(node, shown) {
  const list = people.get(node).element.querySelector(".names").cloneNode(true);
  [...list.querySelectorAll("li")].forEach((item, at) => {
    const { also } = shown[at];
    if (also.length) item.append(make("small", ` also near ${around(also, 2, 40)}`));
  });
  return list;
}

function openNetwork(node) {
  const dialog = byId("network");
  const shown = namesAround(node);
  dialog.querySelector("h2").textContent = `Around ${labelOf(node)}`;
  dialog.querySelector(".drawn").replaceChildren(picture(node, shown));
  dialog.querySelector(".listed").replaceChildren(listed(node, shown));
  dialog.showModal();
}

// The button that opens it, for people with context entities.
function offerNetwork(node) {
  const names = people.get(node).element.querySelector(".names");
  if (!names) return;
  const button = make("button", "Draw the network", { type: "button", class: "draw" });
  button.addEventListener("click", () => openNetwork(node));
  names.after(button);
}
