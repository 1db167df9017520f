// The list of names: brought up to date, sorted, filtered.

import { place } from "./jobs.js";

const section = document.getElementById("names");
let sorted = { column: 4, descending: true };
let wanted = "";
let asked = 0;

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
  let some = false;
  for (const row of rows()) {
    row.hidden = !row.dataset.shown.toLowerCase().includes(wanted.toLowerCase());
    some ||= !row.hidden;
  }
  document.getElementById("none").hidden = some;
}

section.addEventListener("click", (event) => {
  const heading = event.target.closest("th[data-sort]");
  if (!heading) return;
  const column = heading.cellIndex;
  const descending = sorted.column === column ? !sorted.descending : heading.dataset.sort === "number";
  sorted = { column, descending };
  sort();
});

section.addEventListener("input", (event) => {
  if (event.target.id !== "filter") return;
  wanted = event.target.value.trim();
  filter();
});

// The page is asked for again, and its list put in place of this one; jobs stay where they are.
document.addEventListener("names-changed", async () => {
  const number = (asked += 1);
  const text = await fetch("/", { headers: { "X-Weps": "1" } }).then((answer) => answer.text()).catch(() => "");
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("names");
  if (!fresh || number !== asked) return; // a later answer says more
  const cards = [...section.querySelectorAll(".job"), ...document.querySelectorAll("#jobs .job")];
  section.hidden = fresh.hidden;
  document.getElementById("names-title").textContent = fresh.querySelector("h2").textContent;
  section.querySelector(".filter").hidden = fresh.querySelector(".filter").hidden;
  section.querySelector("tbody").replaceWith(document.adoptNode(fresh.querySelector("tbody")));
  for (const card of cards) place(card);
  sort();
  filter();
});
