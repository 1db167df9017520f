// The pages of a cut: person, confidence, closest pages.
function nearIn(row, kind) {
  const near = row.querySelector(kind);
  return { near, page: near.querySelector("a"), probability: near.querySelector("b"), row: -1 };
}

const parts = rows.map((row) => ({
  chip: row.querySelector(".place > .chip"),
  bar: row.querySelector(".score rect"),
  score: row.querySelector(".score > span"),
  good: row.querySelector(".good"),
  doubt: row.querySelector(".doubt"),
  else: row.querySelector(".else"),
  why: row.querySelector(".why"),
  closest: nearIn(row, ".closest"),
  rival: nearIn(row, ".rival"),
}));

function toChip(chip, node) {
  chip.className = `chip ${toneOf(node)}`;
  chip.href = linkOf(node).hash;
  chip.replaceChildren(...linkOf(node).cloneNode(true).childNodes);
}

function showOwner(row, node) {
  if (parts[row].chip.hash === linkOf(node).hash) return;
  rows[row].className = `row ${toneOf(node)}`;
  toChip(parts[row].chip, node);
}

function showScore(row, score, nearest) {
  const { bar, score: told, doubt, else: other } = parts[row];
  bar.setAttribute("width", Math.round(100 * score));
  told.textContent = percent(score);
  doubt.hidden = score >= 0.5;
  other.replaceChildren();
  if (doubt.hidden || nearest < 0) return;
  const chip = make("a");
  toChip(chip, nearest);
  other.append(" perhaps ", chip);
}

function showNear(told, other, probability) {
  told.near.hidden = other < 0;
  if (other < 0) return;
  told.probability.textContent = percent(probability);
  if (told.row === other) return;
  told.row = other;
  told.page.textContent = `${ranks[other]} ${titleOf(other)}`;
  told.page.href = `#page-${ranks[other]}`;
}

function tellTie(row, { near }, other) {
  near.querySelector(".tie")?.remove();
  const tie = other < 0 ? null : tieOf(row, other);
  if (tie) near.append(copyOf(tie));
}

// The evidence of a page: filled in when unfolded, and again when the cut changes.
function tellWhy(row) {
  const { why, closest, rival } = parts[row];
  if (!why.open) return;
  tellTie(row, closest, state.told[row][2]);
  tellTie(row, rival, state.told[row][4]);
}

function showNeighbours(row, [, , closest, close, rival, far]) {
  showNear(parts[row].closest, closest, close);
  showNear(parts[row].rival, rival, far);
  tellWhy(row);
}

function showPages(cut, told) {
  rows.forEach((_, row) => {
    showOwner(row, cut.own[row]);
    showScore(row, told[row][0], told[row][1]);
    parts[row].good.hidden = !told[row][6];
    showNeighbours(row, told[row]);
  });
}
