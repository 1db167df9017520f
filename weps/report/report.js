"use strict";
const tools = document.querySelector(".tools");
const filter = document.getElementById("filter");
const expand = document.getElementById("expand");
const groups = [...document.querySelectorAll(".group")].map((group) => ({
  group,
  heading: group.querySelector("h3")?.textContent.toLowerCase() ?? "",
  rows: [...group.querySelectorAll(".pages > li")].map((row) => ({
    row,
    text: (row.textContent + " " + (row.querySelector("a.title")?.href ?? "")).toLowerCase(),
  })),
}));

function search() {
  const wanted = filter.value.trim().toLowerCase();
  let found = 0;
  for (const { group, heading, rows } of groups) {
    const hits = rows.filter(({ text }) => heading.includes(wanted) || text.includes(wanted));
    rows.forEach((each) => { each.row.hidden = !hits.includes(each); });
    group.hidden = hits.length === 0;
    found += hits.length;
  }
  tools.querySelector("output").textContent = wanted && `${found} found`;
}

tools.hidden = false;
tools.addEventListener("submit", (event) => event.preventDefault());
filter.addEventListener("input", search);
document.addEventListener("click", (event) => {
  if (!event.target.closest('a[href^="#"]')) return;
  filter.value = ""; // what is linked to may be hidden
  search();
});
let open = false;
expand.addEventListener("click", () => {
  open = !open;
  expand.textContent = open ? "Hide all evidence" : "Show all evidence";
  document.querySelectorAll("details").forEach((each) => { each.open = open; });
});
