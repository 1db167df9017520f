// The form of a new name: pages chosen or dropped, the name, and the upload.

import { ask, calm, complain } from "./asking.js";
import { begin } from "./jobs.js";

const form = document.getElementById("drop");
const zone = form.querySelector(".zone");
const chosen = document.getElementById("chosen");
const name = document.getElementById("name");
const suffixes = form.dataset.suffixes.split(" ");
let pages = [];
let proposed = "";

const isPage = (path) => suffixes.some((suffix) => path.toLowerCase().endsWith(suffix));
const depth = (path) => path.split("/").filter(Boolean).length;
const size = (files) => files.reduce((sum, each) => sum + each.file.size, 0);
const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

function entriesOf(folder) {
  const reader = folder.createReader();
  const some = () => new Promise((done, fail) => reader.readEntries(done, fail));
  return (async () => {
    const all = [];
    for (let part = await some(); part.length; part = await some()) all.push(...part);
    return all;
  })();
}

async function within(entry, path = "") {
  const here = `${path}${entry.name}`;
  if (entry.isFile) {
    const file = await new Promise((done, fail) => entry.file(done, fail));
    return [{ path: here, file }];
  }
  if (path) return []; // the parts of a saved page
  const inside = await Promise.all((await entriesOf(entry)).map((each) => within(each, `${here}/`)));
  return inside.flat();
}

function take(found) {
  calm();
  pages = found.filter(({ path }) => isPage(path) && depth(path) <= 2);
  pages.sort((one, other) => one.path.localeCompare(other.path, "en", { numeric: true }));
  const folders = new Set(found.filter(({ path }) => depth(path) > 1).map(({ path }) => path.split("/")[0]));
  if (folders.size > 1) {
    pages = [];
    chosen.textContent = "";
    complain("These are folders of several names: drop one at a time.");
    return;
  }
  const [folder] = folders;
  const left = found.length - pages.length;
  chosen.textContent = pages.length
    ? `${counted(pages.length, "page")}, ${(size(pages) / 1e6).toFixed(1)} MB` +
      (folder ? `, from ${folder}` : "") +
      (left ? `; ${counted(left, "other file")} left out` : "")
    : `There are no saved pages (${suffixes.join(", ")}) directly in the dropped folder.`;
  if (folder && (!name.value || name.value === proposed)) {
    proposed = folder.replaceAll("_", " ").trim();
    name.value = proposed;
  }
  if (pages.length) name.focus();
}

function fault() {
  if (!pages.length) return "Drop a folder of saved pages, or choose one, first.";
  if (!name.value.trim()) return "Fill in the person’s name.";
  const most = Number(form.dataset.mostFiles);
  if (pages.length > most) return `These are more than ${most} pages: drop fewer at a time.`;
  const bytes = Number(form.dataset.mostBytes);
  return size(pages) > bytes ? `These are more than ${bytes >> 20} MB: drop fewer at a time.` : "";
}

function clear() {
  form.reset();
  pages = [];
  proposed = "";
  chosen.textContent = "";
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  calm();
  const wrong = fault();
  if (wrong) {
    complain(wrong);
    return;
  }
  const data = new FormData();
  data.append("name", name.value);
  data.append("percent", document.getElementById("percent").value);
  for (const { path, file } of pages) data.append("pages", file, path);
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  try {
    begin(await ask(form.action, "POST", data));
    clear();
  } catch (error) {
    complain(error.message);
  }
  button.disabled = false;
});

for (const input of form.querySelectorAll("input[type=file]")) {
  input.addEventListener("change", () => {
    take([...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
    input.value = "";
  });
}

// Anywhere on the page: files dropped outside the zone would be opened by the browser.
addEventListener("dragover", (event) => {
  event.preventDefault();
  zone.classList.add("over");
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) zone.classList.remove("over");
});
addEventListener("drop", async (event) => {
  event.preventDefault();
  zone.classList.remove("over");
  const items = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  try {
    take((await Promise.all(items.map((entry) => within(entry)))).flat());
  } catch (error) {
    complain(`The files cannot be read: ${error.message}`);
  }
});
