// Corrections as lines of the file and in plain words.
const list = (some) => some.join(", ");

const ranksOf = (node) => state.cut.rows(node).map((row) => ranks[row]);
const personOf = (rank) => ranksOf(state.cut.own[rowOf.get(rank)]);

// Pages by person.
function byPerson(pages) {
  const people = new Set(pages.map((rank) => state.cut.own[rowOf.get(rank)]));
  return [...people].map((node) => ranksOf(node).filter((rank) => pages.includes(rank)));
}

// The page of greatest confidence; of equals the first.
function typicalOf(pages) {
  const scoreOfPage = (rank) => state.assessed[rowOf.get(rank)][0];
  return pages.reduce((best, rank) => (scoreOfPage(rank) > scoreOfPage(best) ? rank : best));
}

// The other pages of each of these people.
function othersOf(pages) {
  const others = byPerson(pages).map(([rank]) => personOf(rank).filter((other) => !pages.includes(other)));
  return others.filter((some) => some.length);
}

const restOf = (pages) => othersOf(pages).flat();

// The two sides of a *different*: pages of two people, or two pages of one.
function sidesOf(pages) {
  const sides = byPerson(pages);
  return sides.length === 1 && pages.length === 2 ? pages.map((rank) => [rank]) : sides;
}

// As in weps/report/html.py.
const spoken = {
  same: (pages) => `Same person: ${list(pages)}`,
  join: (pages) => `One person: those of pages ${list(pages)}`,
  different: (pages, others) => `Not the same: ${list(pages)} and ${list(others)}`,
  split: (pages, others) => `Somebody else: ${list(pages)}, not with ${list(others)}`,
  move: (pages, others, target) => `Moved: ${list(pages)}, from ${list(others)} to ${list(target)}`,
  keep: (pages) => `Put back: ${list(pages)}`,
  exclude: (pages) => `Not this name: ${list(pages)}`,
  unclear: (pages) => `Cannot tell: ${list(pages)}`,
  confirm: (pages, others) => `Confirmed: ${list(pages)}${others ? `, with ${list(others)}` : ""}`,
};

const MARKED = {
  note: "Note on page", tag: "Tag of page", checked: "Checked: page", "person-note": "Note on the person of page",
  "person-tag": "Tag of the person of page", "person-checked": "Checked: the person of page",
};

const ascending = (some) => [...some].sort((one, other) => one - other);

function said(kind, ...groups) {
  const sorted = groups.map(ascending);
  const parted = sorted.map((group) => group.join(" "));
  return { line: `${kind} ${parted.join(" / ")}`, words: spoken[kind](...sorted) };
}

// The pages that were confirmed before, as the lines of the corrections say.
function confirmedBefore() {
  const lines = [...byId("said").children].map((item) => item.dataset.line);
  const confirmations = lines.filter((line) => line.startsWith("confirm "));
  return new Set(confirmations.flatMap((line) => line.slice(8).split("/")[0].trim().split(" ").map(Number)));
}

function confirming(pages) {
  const person = personOf(pages[0]);
  if (person.length === 1) return said("different", pages, ranks.filter((rank) => rank !== pages[0]));
  const before = confirmedBefore();
  const anchors = person.filter((rank) => before.has(rank) && !pages.includes(rank));
  if (anchors.length === 0 && pages.length === 1) anchors.push(ranks[state.assessed[rowOf.get(pages[0])][2]]);
  return anchors.length ? said("confirm", pages, anchors) : said("confirm", pages);
}

// Edits as lines and words, as in weps/corrections/operations.py.
const sentences = {
  same: ({ pages }) => [said("same", pages)],
  join: ({ pages }) => [said("join", pages)],
  different: ({ pages, sides = sidesOf(pages) }) => [said("different", ...sides)],
  threshold: ({ threshold }) => [
    { line: `threshold ${threshold}`, words: `Merge threshold chosen: ${percentOf(threshold)}` },
  ],
  ...Object.fromEntries(["keep", "exclude", "unclear"].map((kind) => [kind, ({ pages }) => [said(kind, pages)]])),
  split: ({ pages }) => [said("split", pages, restOf(pages))],
  move: ({ pages, to }) => {
    const rest = othersOf(pages).map(typicalOf);
    return [rest.length ? said("move", pages, rest, [to]) : said("same", [...pages, to])];
  },
  confirm: ({ pages }) => byPerson(pages).map(confirming),
  ...Object.fromEntries(Object.entries(MARKED).map(([kind, words]) => [kind, ({ pages, name }) => {
    const text = name ? `: ${name}` : "";
    return [{ line: `${kind} ${ascending(pages).join(" ")}${text}`, words: `${words} ${list(ascending(pages))}${text}` }];
  }])),
  rename: ({ pages: [page], name }) => [
    { line: `called ${page} ${name}`, words: `Called ${name}: the person of ${page}` },
  ],
};

// The ranks that a line mentions.
function mentionedIn(line) {
  if (line.startsWith("threshold ") || line === "learn") return [];
  const numbers = line.split(": ")[0].match(/\d+/g).map(Number);
  return line.startsWith("called ") ? numbers.slice(0, 1) : numbers;
}

function markOf(rank) {
  const { fingerprint, live } = pageOf(rank);
  return `page ${rank} ${fingerprint} ${live}`.trim();
}

// The file: all lines, and the identity of every page mentioned.
function fileOf(lines) {
  const mentioned = ascending(new Set(lines.flatMap(mentionedIn)));
  const known = mentioned.filter((rank) => pageOf(rank)?.fingerprint);
  const name = document.querySelector("h1").textContent;
  const head = `# Corrections for ${name}. One per line; numbers are ranks of pages.`;
  return `${[head, ...lines, ...known.map(markOf)].join("\n")}\n`;
}
