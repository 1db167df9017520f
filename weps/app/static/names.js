// The list of names: brought up to date, sorted, filtered.

import { place } from "./jobs.js";

const section = document.getElementById("names");
const field = document.getElementById("filter");
const KEPT = "weps-names"; // for as long as the window is open
const PAUSE = 1000; // milliseconds, between requests for the list
const CHANGED = 6;
let { sorted, wanted } = JSON.parse(sessionStorage.getItem(KEPT)) ?? { sorted: { column: CHANGED, descending: true }, wanted: "" };
let asked = 0;
let waiting = 0;

const rows = () => [...section.querySelectorAll("tbody > tr[data-name]")];

function valueOf(row, { column, number }) {
  const cell = row.cells[column];
  const text = cell.querySelector("time")?.dateTime ?? cell.textContent.trim();
  return number ? Number(text.replaceAll(",", "") || -1) : text;
}

function sort() {
  const headings = [...section.querySelectorAll("thead th")];
  const heading = headings[sorted.column];
  const by = { column: sorted.column, number: heading.dataset.sort === "number" };
  for (const each of headings) {
    if (each.dataset.sort) each.setAttribute("aria-sort", "none");
  }
  heading.setAttribute("aria-sort", sorted.descending ? "descending" : "ascending");
  const ordered = rows().sort((one, other) => {
    const [first, second] = [valueOf(one, by), valueOf(other, by)];
    return by.number ? first - second : first.localeCompare(second, "en", { numeric: true });
  });
  if (sorted.descending) ordered.reverse();
  const body = section.querySelector("tbody");
  for (const row of ordered) {
    const below = row.nextElementSibling;
    body.append(row, ...(below?.matches(".progress") ? [below] : []));
  }
}

function filter() {
  const all = rows();
  for (const row of all) {
    row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted.toLowerCase());
    const below = row.nextElementSibling;
    if (below?.matches(".progress")) below.hidden = row.hidden;
  }
  const found = all.filter((row) => !row.hidden).length;
  document.getElementById("none").hidden = found > 0;
  document.getElementById("matching").textContent = wanted ? `${found} of ${all.length}` : "";
  sessionStorage.setItem(KEPT, JSON.stringify({ sorted, wanted }));
}

section.addEventListener("click", (event) => {
  const heading = event.target.closest("th[data-sort]");
  if (!heading) return;
  const column = heading.cellIndex;
  const descending = sorted.column === column ? !sorted.descending : heading.dataset.sort === "number";
  sorted = { column, descending };
  sort();
  filter();
});

section.addEventListener("input", (event) => {
  if (event.target.id !== "filter") return;
  wanted = event.target.value.trim();
  filter();
});

// The page is asked for again, and its list put in place of this one; jobs stay where they are.
async function refresh() {
  const text = await fetch("/", { headers: { "X-Weps": "1" } }).then((answer) => answer.text()).catch(() => "");
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("names");
  if (!fresh) return;
  const cards = [...section.querySelectorAll(".job"), ...document.querySelectorAll("#jobs .job")];
  const focused = document.activeElement.closest("#names tr")?.dataset.name;
  section.hidden = fresh.hidden;
  document.getElementById("names-title").textContent = fresh.querySelector("h2").textContent;
  section.querySelector(".filter").hidden = fresh.querySelector(".filter").hidden;
  section.querySelector("tbody").replaceWith(document.adoptNode(fresh.querySelector("tbody")));
  for (const card of cards) place(card);
  sort();
  filter();
  if (focused) section.querySelector(`tr[data-name="${CSS.escape(focused)}"] :is(a, button)`)?.focus();
}

document.addEventListener("names-changed", () => {
  if (waiting) return; // what is asked for then says more
  waiting = setTimeout(() => {
    waiting = 0;
    asked = Date.now();
    refresh();
  }, Math.max(0, asked + PAUSE - Date.now()));
});

field.value = wanted;
sort();
filter();
