// The page of a person: what is stated of them, when, with whom, and why their pages are together.
const KINDS = { person: "person", organisation: "organisation", location: "place" };
const DATES = new Set(["born", "died"]);
const TIMED = new Set(["school", "degree", "award", "affiliation", "work"]); // with the year of their sentence
const YEARS = /\b(1[5-9]\d\d|20\d\d)\b/g;
const MOST_DATED = 30; // pages of a timeline
const MOST_PAGES = 12; // linked to beside a fact or a name

function linkToPage(rank) {
  return make("a", rank, { href: `#page-${rank}` });
}

function linksTo(some) {
  const links = some.slice(0, MOST_PAGES).flatMap((rank) => [" ", linkToPage(rank)]);
  const more = some.length > MOST_PAGES ? ` and ${some.length - MOST_PAGES} more` : "";
  return make("span", [some.length > 1 ? "pages" : "page", ...links, more], { class: "on" });
}

// 1921-05-03, 1921-05 or 1921 → 3 May 1921, May 1921, 1921.
function dated(value) {
  if (!/^\d{4}(-\d\d){0,2}$/.test(value)) return value;
  const [year, month, day] = value.split("-");
  const name = month && new Date(2000, month - 1).toLocaleString("en", { month: "long" });
  return [day && Number(day), name, year].filter(Boolean).join(" ");
}

// A text with the first of these words that it has marked.
function marked(text, ...words) {
  const wanted = words.find((word) => text.toLowerCase().includes(word.toLowerCase()));
  const at = wanted ? text.toLowerCase().indexOf(wanted.toLowerCase()) : -1;
  return at < 0 ? [text] : [text.slice(0, at), make("mark", text.slice(at, at + wanted.length)), text.slice(at + wanted.length)];
}

const pageLink = (rank) => make("a", `page ${rank}`, { href: `#page-${rank}` });

// Opens the page where it has the sentence, else the value: browsers look for what is behind ":~:".
function linkToText(rank, sentence, value, several) {
  const { saved, live } = pageOf(rank);
  if (!saved && !live) return several && pageLink(rank);
  const [there, otherwise] = [sentence, value].map((text) => encodeURIComponent(text.replace(/^…|…$/g, "").trim()).replaceAll("-", "%2D"));
  const href = `${saved || live}#:~:text=${there}&text=${otherwise}`;
  return make("a", several ? `page ${rank}` : "in the text", { class: saved ? undefined : "live", href, title: "Open the page at this sentence", ...WEB });
}

function makeSource([rank, sentence], value, several) {
  return make("p", [...marked(sentence, value, dated(value), value.match(/^\d{4}/)?.[0] ?? value), " ", linkToText(rank, sentence, value, several)], { class: "source" });
}

// Pages that state what other pages contradict may be about somebody else.
function splitButton(value, on) {
  const button = make("button", "Split off", { type: "button", class: "plain", title: `Somebody else: ${counted(on.length, "page", "pages")} with ${value}` });
  button.addEventListener("click", () => backend.add({ action: "split", pages: on }));
  return button;
}

function makeFact({ value, detail, certainty, contradicted, ranks: on, sources }) {
  const [first, ...others] = sources.map((source) => makeSource(source, value, on.length > 1));
  return make("dd", [
    make("p", [make("bdi", dated(value)), detail && ` (${detail})`, " ", make("small", percent(certainty)), " ", linksTo(on), ...(contradicted ? [" ", splitButton(dated(value), on)] : [])]),
    first,
    others.length > 0 && make("details", [make("summary", counted(others.length, "more sentence", "more sentences")), ...others]),
  ]);
}

// Values that cannot all be true stand side by side.
function makeFacts(facts) {
  return make("dl", [...new Set(facts.map(({ what }) => what))].map((what) => {
    const values = facts.filter((fact) => fact.what === what);
    const apart = values.some(({ contradicted }) => contradicted);
    const term = make("dt", [what, apart && make("b", "Pages disagree", { class: "badge" })]);
    return make("div", [term, ...values.map(makeFact)], { class: apart ? "apart" : undefined });
  }), { class: "stated" });
}

// When: dates that are stated, and facts whose sentence has one year.
function momentsOf(facts) {
  const lives = facts.filter(({ what }) => DATES.has(what)).map(({ value }) => value.slice(0, 4));
  return facts.flatMap(({ what, value, sources }) => {
    const [rank, sentence] = sources[0];
    if (DATES.has(what)) return [{ when: value, told: [what], rank }];
    const years = [...new Set(sentence.match(YEARS))].filter((year) => !lives.includes(year));
    return years.length === 1 && TIMED.has(what) ? [{ when: years[0], told: [`${what}: `, make("bdi", value)], rank }] : [];
  });
}

function datedPages(node) {
  return state.cut.rows(node).filter((row) => data.about[row][0]).slice(0, MOST_DATED).map((row) => {
    const [when, of] = data.about[row];
    return { when, told: [make("bdi", shortened(titleOf(row), 60)), of && make("small", ` ${of}`)], rank: ranks[row], kind: "page" };
  });
}

function makeTimeline(moments) {
  moments.sort((one, other) => (one.when < other.when ? -1 : Number(one.when > other.when)));
  return make("ol", moments.map(({ when, told, rank, kind }) => (
    make("li", [make("time", dated(when), { datetime: when }), make("span", [...told, " ", pageLink(rank)].filter(Boolean))], { class: kind })
  )), { class: "timeline" });
}

// The names near the name, each with the other people of the cut that share it.
function makeRelations(node) {
  const others = [...state.cut.members.keys()].filter((other) => other !== node);
  const theirs = others.map((other) => [other, people.get(other).names()]);
  return make("ul", people.get(node).names().map(({ kind, text, ranks: on }) => {
    const also = theirs.filter(([, names]) => names.some((each) => each.text === text && each.kind === kind)).map(([other]) => other);
    const near = also.length ? [" · also near ", make("a", [make("bdi", shortened(briefOf(also[0]), 40))], { href: `#${people.get(also[0]).anchor}` }), also.length > 1 && ` and ${counted(also.length - 1, "other", "others")}`] : [];
    const own = on.filter((rank) => state.cut.has(node, rowOf.get(rank)));
    return make("li", [make("bdi", text), " ", make("small", KINDS[kind]), " ", linksTo(own), make("span", near, { class: "hush" })]);
  }), { class: "relations" });
}

const section = (heading, ...content) => make("section", [make("h3", heading), ...content]);

function makeTogether({ node, number, pages: counts, one }) {
  const summary = make("summary", ["Why these pages are together ", make("small", counted(number - 1, "link", "links"))]);
  const whole = [`Probability that all ${counts} are one person: `, make("b", one), "."];
  return make("details", [summary, make("p", whole, { class: "whole" }), make("ol")], { class: "together", "data-node": node });
}

// The link to the brief of a person, which the app makes.
function briefOn(person) {
  const ofAll = document.querySelector(".app a[href$='/export/brief']");
  return ofAll && make("a", "Save a brief", { href: `${ofAll.getAttribute("href")}?person=${person}`, download: "", class: "brief" });
}

function makeAbout(node) {
  const card = people.get(node);
  const { person, number, words, facts, query, outcome } = card;
  const sure = node < size ? `${inWords(state.assessed[node][0])}, ${percent(state.assessed[node][0])}` : card.sure;
  const moments = [...momentsOf(facts), ...datedPages(node)];
  return make("section", [
    make("h2", labelled(node)),
    make("p", [make("b", card.pages), " ", make("span", sure), person ? make("small", ` person ${person}`) : "", person && briefOn(person)], { class: "facts" }),
    words.length > 0 && make("p", words.flatMap((word, at) => [at > 0 && " · ", make("bdi", word)]), { class: "words" }),
    facts.length > 0 && section("What pages state", makeFacts(facts)),
    moments.length > 1 && section("Timeline", makeTimeline(moments)),
    card.names().length > 0 && section("Mentioned with this person", makeRelations(node)),
    query && make("p", ["Search for ", make("kbd", [make("bdi", query)]), " ", make("small", outcome)], { class: "query" }),
    number > 1 && makeTogether(card),
  ], { class: `about ${card.tone}` });
}

// The page of a person is made anew for each cut.
function showAbout(node) {
  const shown = byId("chosen");
  shown.hidden = node === null;
  shown.querySelector(".about")?.remove();
  if (node !== null) shown.append(makeAbout(node));
}
