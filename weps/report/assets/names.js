// The table of names, in an index and in the app: sorted by a column, and only those looked for.
{
  const section = document.getElementById("names");
  const field = document.getElementById("filter");
  const KEPT = `weps-names ${location.pathname}`; // for as long as the window is open
  const rows = () => [...section.querySelectorAll("tbody > tr[data-name]")];
  const headings = [...section.querySelectorAll("thead th")];
  const first = headings.findIndex((each) => !["none", null].includes(each.getAttribute("aria-sort")));
  let sorted = { column: first, descending: headings[first].getAttribute("aria-sort") === "descending" };

  function valueOf(row, { column, number }) {
    const cell = row.cells[column];
    const text = (cell.querySelector("time")?.dateTime ?? (cell.querySelector("bdi") ?? cell).textContent).trim();
    return number ? Number(text.replaceAll(",", "") || -1) : text;
  }

  function sort() {
    const heading = headings[sorted.column];
    const by = { column: sorted.column, number: heading.dataset.sort === "number" };
    for (const each of headings) if (each.dataset.sort) each.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", sorted.descending ? "descending" : "ascending");
    const order = new Intl.Collator("en", { numeric: true });
    const keyed = rows().map((row) => ({ row, key: valueOf(row, by), below: row.nextElementSibling }));
    keyed.sort(({ key: one }, { key: other }) => (by.number ? one - other : order.compare(one, other)));
    if (sorted.descending) keyed.reverse();
    const ordered = keyed.flatMap(({ row, below }) => (below?.matches(".progress") ? [row, below] : [row]));
    section.querySelector("tbody").append(...ordered);
  }

  function filter() {
    const wanted = field.value.trim().toLowerCase();
    const all = rows();
    for (const row of all) {
      row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
      const below = row.nextElementSibling;
      if (below?.matches(".progress")) below.hidden = row.hidden;
    }
    const found = all.filter((row) => !row.hidden).length;
    document.getElementById("none").hidden = found > 0;
    document.getElementById("matching").textContent = wanted ? `${found} of ${all.length}` : "";
  }

  function show() {
    sort();
    filter();
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ sorted, wanted: field.value }));
    } catch {
      // A page without an origin of its own keeps nothing.
    }
  }

  section.addEventListener("click", ({ target }) => {
    const heading = target.closest("th[data-sort]");
    if (!heading) return;
    const column = headings.indexOf(heading);
    const descending = sorted.column === column ? !sorted.descending : heading.dataset.sort === "number";
    sorted = { column, descending };
    show();
  });
  field.addEventListener("input", show);
  document.addEventListener("names-listed", show);
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    sorted = kept?.sorted ?? sorted;
    field.value = kept?.wanted ?? "";
  } catch {
    // As above.
  }
  show();
  document.documentElement.dataset.ready = "true";
}
