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
