// The dendrogram: colours of the people of a cut, and the line where merging stops.
const brackets = [...document.querySelectorAll("#tree .merges path")];
const ticks = [...document.querySelectorAll("#tree .axis path")].map((tick) => tick.getAttribute("d"));
const axis = ticks.map((tick) => Number(tick.match(/^M(\d+)/)[1]));

function showTree(cut) {
  if (!brackets.length) return;
  const tone = new Map();
  for (const node of cut.members.keys()) {
    for (const merge of mergesWithin(node)) tone.set(merge, toneOf(node));
  }
  for (const bracket of brackets) bracket.setAttribute("class", tone.get(Number(bracket.dataset.merge)) ?? "");
  const levels = [1, ...data.levels, 0];
  const level = (levels[cut.held] + levels[cut.held + 1]) / 2;
  const x = axis[axis.length - 1] - (axis[axis.length - 1] - axis[0]) * level;
  const line = byId("threshold");
  line.setAttribute("d", line.getAttribute("d").replace(/^M[\d.]+/, `M${Math.round(x)}`));
}

// The chosen person's part, whose pages are next to one another, with the merges above it faded.
const leaves = [...document.querySelectorAll("#tree .leaf")].map((element) => ({
  element,
  row: rowOf.get(Number(element.getAttribute("href").slice("#page-".length))),
  y: Number(element.querySelector("text").getAttribute("y")) - 12,
}));
const wordsOfMerges = [...document.querySelectorAll("#view-tree .merges li")];

function mergesAbove(node) {
  const above = new Set();
  (data.nodes ?? []).forEach((parts, merge) => {
    if (!parts.includes(node)) return;
    above.add(merge);
    node = size + merge;
  });
  return above;
}

function showPart() {
  const { chosen } = state;
  const isOwn = (row) => chosen === null || state.cut.has(chosen, row);
  for (const item of wordsOfMerges) {
    item.hidden = !item.dataset.ranks.split(" ").some((rank) => isOwn(rowOf.get(Number(rank))));
  }
  if (!leaves.length) return;
  const shown = leaves.filter(({ row }) => isOwn(row));
  byId("tree").parentElement.hidden = shown.length === 0; // of a person set aside
  if (!shown.length) return;
  for (const { element, row } of leaves) element.classList.toggle("off", !isOwn(row));
  const within = new Set(chosen === null ? [] : mergesWithin(chosen));
  const above = chosen === null ? new Set() : mergesAbove(chosen);
  for (const bracket of brackets) {
    const merge = Number(bracket.dataset.merge);
    bracket.classList.toggle("faded", above.has(merge));
    bracket.classList.toggle("off", chosen !== null && !above.has(merge) && !within.has(merge));
  }
  // In units of weps/report/charts.py: the axis takes 30 above the first row, a row 16.
  const [top, bottom] = [shown[0].y - 30, shown.at(-1).y + 22];
  byId("tree").setAttribute("viewBox", `0 ${top} ${byId("tree").viewBox.baseVal.width} ${bottom - top}`);
  for (const part of [document.querySelector("#tree .axis"), byId("threshold")]) {
    part.setAttribute("transform", `translate(0 ${top})`);
  }
}
