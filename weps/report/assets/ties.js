// Explained pairs: those of the list, or made from the data; their copies where they are asked for.
let unpackedTies = null;
function ties() {
  const byPair = (fields) => [`${fields[0]}-${fields[1]}`, fields];
  unpackedTies ??= new Map(parsed(tieBytes).map(byPair));
  return unpackedTies;
}

const SAID = { same: "A user said: one person.", different: "A user said: not the same person." };

function makeLine([feature, repeats, ...parts]) {
  const shown = parts.flatMap((part) => [" ", part.startsWith("\n") ? make("small", part.slice(1)) : make("em", part)]);
  return make("li", [make("i", feature), make("span", [...shown, repeats ? " the same" : ""])]);
}

function makeTie([first, second, probability, lines, correction = "", effects = ""]) {
  const titled = (rank) => {
    const title = make("bdi", shortened(titleOf(rowOf.get(rank)), 50));
    return make("a", [rank, " ", title], { href: `#page-${rank}` });
  };
  const pair = [titled(first), " ↔ ", titled(second), " ", make("b", probability)];
  const evidence = lines.length ? lines.map(makeLine) : [make("li", "No distinctive evidence.")];
  return make("li", [
    make("p", pair, { class: "pair" }),
    correction && make("p", SAID[correction], { class: "said" }),
    make("ul", evidence, { class: "evidence" }),
    effects && make("p", effects, { class: "reasons" }),
  ].filter(Boolean), { class: "tie", id: `tie-${first}-${second}` });
}

function tieOf(first, second) {
  const pair = [ranks[first], ranks[second]].sort((a, b) => a - b).join("-");
  return byId(`tie-${pair}`) ?? (ties().has(pair) ? makeTie(ties().get(pair)) : null);
}

function copyOf(tie) {
  const copy = make("div", "", { class: "tie" });
  copy.append(...[...tie.cloneNode(true).children]);
  return copy;
}

const missing = () => make("p", "The evidence of this pair was not saved.", { class: "hush" });

// The merges of a person, most probable first.
function makeMerge(merge) {
  const tie = tieOf(...data.merges[merge].map((rank) => rowOf.get(rank)));
  const level = make("p", `Joined at ${percent(data.levels[merge])}`, { class: "level" });
  return make("li", [level, tie ? copyOf(tie) : missing()]);
}

function tellMerges(details) {
  const list = details.querySelector("ol");
  if (!data.nodes || list.dataset.filled) return;
  list.dataset.filled = "true";
  new Portions(list, ["link", "links"], makeMerge).show(mergesWithin(nodeOf(details)));
}

// All of them, or those of the chosen person's pages.
const isTold = (pair) => state.chosen === null || pair.some((rank) => state.cut.has(state.chosen, rowOf.get(rank)));
const pairIn = (text) => text.match(/\d+/g).slice(0, 2).map(Number);
const writtenTies = [...document.querySelectorAll("#view-ties .tie")];
const tieList = data.pages ? new Portions(document.querySelector("#view-ties .ties"), ["pair", "pairs"], makeTie) : null;

function showTies(hash = "") {
  if (hash && !isTold(pairIn(hash))) choose(null);
  for (const tie of writtenTies) tie.hidden = !isTold(pairIn(tie.id));
  const shown = tieList ? [...ties().values()].filter((fields) => isTold(fields.slice(0, 2))) : writtenTies;
  tieList?.show(shown);
  tieList?.reveal(ties().get(hash.slice("#tie-".length)));
  byId("no-ties").hidden = state.chosen === null || shown.some((tie) => !tie.hidden);
}

document.addEventListener("toggle", ({ target }) => {
  if (target.matches(".copies")) showSelection();
  if (!target.open) return;
  if (target.matches(".together")) tellMerges(target);
  if (target.matches(".why")) tellWhy(rowOf.get(Number(target.closest(".row").dataset.rank)));
  if (target.matches(".copies")) showCopies(rowOf.get(Number(target.closest(".row").dataset.rank)));
  if (target.matches("#set-aside details")) listAside(target);
}, true);
