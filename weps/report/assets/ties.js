// Copies of explained pairs, shown on request.
function tieOf(first, second) {
  const [one, other] = [ranks[first], ranks[second]].sort((a, b) => a - b);
  return byId(`tie-${one}-${other}`);
}

function copyOf(tie) {
  const copy = make("div", "", { class: "tie" });
  copy.append(...[...tie.cloneNode(true).children]);
  return copy;
}

const missing = () => make("p", "The evidence of this pair was not saved.", { class: "hush" });

// The merges of a person, most probable first.
function tellMerges(card) {
  const list = card.querySelector(".together ol");
  if (!data.nodes || list.dataset.told) return;
  list.dataset.told = "true";
  list.replaceChildren(...mergesWithin(nodeOf(card)).map((merge) => {
    const item = make("li");
    const pair = data.merges[merge].map((rank) => rowOf.get(rank));
    const tie = tieOf(...pair);
    item.append(make("p", `Joined at ${percent(data.levels[merge])}`, { class: "level" }));
    item.append(tie ? copyOf(tie) : missing());
    return item;
  }));
}

document.addEventListener("toggle", ({ target }) => {
  if (!target.open) return;
  if (target.matches(".together")) tellMerges(target.closest(".card"));
  if (target.matches(".why")) tellWhy(rows.indexOf(target.closest(".row")));
}, true);
