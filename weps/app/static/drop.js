// The form of pages: files and folders chosen or dropped, the name, and the upload.

import { ask, calm, complain } from "./asking.js";
import { begin } from "./jobs.js";
import { prepare } from "./search.js";

const form = document.getElementById("drop");
const zone = form.querySelector(".zone");
const chosen = document.getElementById("chosen");
const name = document.getElementById("name");
const submit = form.querySelector("button[type=submit]");
const DEPTH = 8;
const MEDIA = /^(image|video|audio|font)\/|css|javascript/;
const PAGE = /\.(html?|txt)$/i;
const listNotice = document.getElementById("listed");
const LIST = /\.(csv|tsv|json|jsonl|ndjson)$/i; // whatever else they hold, weps recognises
const ADDRESS = /^\s*(#.*|https?:\/\/\S+)?\s*$/;
const BOOKMARKS = /^\ufeff?\s*<!doctype netscape-bookmark-file-1>/i;
const HEAD = 4096; // bytes
let files = [];
let folders = [];
let proposed = "";

const size = (some) => some.reduce((sum, { file }) => sum + file.size, 0);
const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const listed = (some) => some.slice(0, 3).join(", ") + (some.length > 3 ? `, and ${some.length - 3} more` : "");
const named = (folder) => folder.replaceAll("_", " ").trim();

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
  if (here.split("/").length >= DEPTH) return [];
  const inside = await Promise.all((await entriesOf(entry)).map((each) => within(each, `${here}/`)));
  return inside.flat();
}

// The images and frames of a saved page lie in a folder beside it: page.html, page_files/.
function resources(paths) {
  const stems = new Set(paths.filter((path) => PAGE.test(path)).map((path) => path.replace(PAGE, "")));
  return (path) =>
    path.split("/").slice(0, -1).some((_, depth, parts) =>
      stems.has(parts.slice(0, depth + 1).join("/").replace(/[ _.-][\p{L}]+$/u, "")));
}

// The folder that everything lies in, and the folders in it if no file does: one for each name.
function structure(paths) {
  let rest = paths.map((path) => path.split("/"));
  let root = "";
  let depth = 0;
  while (rest.length && rest.every((parts) => parts.length > 1 && parts[0] === rest[0][0])) {
    root = rest[0][0];
    rest = rest.map((parts) => parts.slice(1));
    depth += 1;
  }
  const several = rest.length && rest.every((parts) => parts.length > 1);
  return { root, depth, folders: several ? [...new Set(rest.map((parts) => parts[0]))].sort() : [] };
}

async function isList({ path, file }) {
  if (LIST.test(path)) return true;
  const head = await file.slice(0, HEAD).text();
  const lines = head.split("\n").slice(0, file.size > HEAD ? -1 : undefined);
  const addresses = /\.txt$/i.test(path) && head.includes("://");
  return BOOKMARKS.test(head) || (addresses && lines.every((line) => ADDRESS.test(line)));
}

// The pages of lists can be downloaded, which is only done where the user says so.
async function offerDownload() {
  const taken = files;
  const are = taken.length > 0 && (await Promise.all(taken.map(isList))).every(Boolean);
  if (taken === files) listNotice.hidden = !are;
}

function take(found, about = "") {
  calm();
  const isResource = resources(found.map(({ path }) => path));
  const visible = found.filter(({ path }) => !/(^|\/)(\.|__MACOSX|Thumbs\.db|desktop\.ini)/.test(path));
  const own = visible.filter(({ path }) => !isResource(path));
  files = own.filter(({ file }) => !MEDIA.test(file.type));
  files.sort((one, other) => one.path.localeCompare(other.path, "en", { numeric: true }));
  const left = own.filter(({ file }) => MEDIA.test(file.type)).map(({ file }) => file.name);
  const found_in = structure(files.map(({ path }) => path));
  folders = found_in.folders;
  const archive = files.length === 1 && /\.zip$/i.test(files[0].path);
  chosen.textContent = files.length
    ? `${counted(files.length, "file")}, ${(size(files) / 1e6).toFixed(1)} MB` +
      (folders.length ? `; ${counted(folders.length, "name")}: ${listed(folders.map(named))}` : "") +
      (found_in.root && !folders.length ? `, from ${found_in.root}` : "") +
      (archive ? "; leave the name empty if the archive has one folder per name" : "") +
      (left.length ? `. Left out, because they are not pages: ${listed(left)}` : "")
    : `None of these files contains pages${left.length ? `: ${listed(left)}` : "."}`;
  if (about || !name.value || name.value === proposed) {
    proposed = about || (folders.length ? "" : named(found_in.root));
    name.value = proposed;
  }
  if (files.length) (name.value ? submit : name).focus();
  offerDownload();
  relabel();
}

function relabel() {
  const typed = name.value.trim().replaceAll("_", " ").toLowerCase();
  const rows = [...document.querySelectorAll("#names tr[data-name]")];
  const row = rows.find(({ dataset }) => dataset.shown.toLowerCase() === typed);
  const several = !typed && folders.length > 1;
  submit.textContent = row ? `Add to ${row.dataset.shown}` : several ? `Cluster ${folders.length} names` : "Cluster the pages";
}

const fits = (some) => some.length <= Number(form.dataset.mostFiles) && size(some) <= Number(form.dataset.mostBytes);

// What is sent at a time: everything or, if that is too much, the folders of some names.
function portions() {
  if (name.value.trim() || folders.length < 2 || fits(files)) return [files];
  const { depth } = structure(files.map(({ path }) => path));
  const ofNames = new Map();
  for (const each of files) {
    const folder = each.path.split("/")[depth];
    ofNames.set(folder, [...(ofNames.get(folder) ?? []), each]);
  }
  const found = [];
  for (const some of ofNames.values()) {
    const last = found.at(-1);
    if (last && fits([...last, ...some])) last.push(...some);
    else found.push([...some]);
  }
  return found;
}

function fault() {
  if (!files.length) return "Drop or choose saved pages, or a folder of them, first.";
  const archive = files.some(({ path }) => /\.zip$/i.test(path));
  if (!name.value.trim() && !archive && !files.every(({ path }) => path.includes("/"))) {
    return "Fill in the person’s name.";
  }
  const { mostFiles, mostBytes } = form.dataset;
  const limits = `${mostFiles} files or ${Number(mostBytes) >> 20} MB`;
  return portions().every(fits) ? "" : `There are more than ${limits} for a name: drop fewer at a time.`;
}

function clear() {
  form.reset();
  files = [];
  folders = [];
  proposed = "";
  chosen.textContent = "";
  listNotice.hidden = true;
  relabel();
}

document.getElementById("download")?.addEventListener("click", () => {
  prepare([{ name: name.value.trim() }], files.map(({ file }) => file));
});
document.addEventListener("search-sent", () => listNotice.hidden || clear());

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  calm();
  const wrong = fault();
  if (wrong) {
    complain(wrong);
    return;
  }
  const waiting = portions();
  const stay = waiting.length > 1;
  submit.disabled = true;
  try {
    for (const total = waiting.length; waiting.length; waiting.shift()) {
      if (stay) chosen.textContent = `Uploading part ${total - waiting.length + 1} of ${total}`;
      const data = new FormData();
      data.append("name", name.value);
      for (const { path, file } of waiting[0]) data.append("pages", file, path);
      begin(await ask(form.action, "POST", data), stay);
    }
    clear();
  } catch (error) {
    complain(error.message);
    files = waiting.flat(); // those that were not taken
  }
  submit.disabled = false;
});

name.addEventListener("input", relabel);

for (const input of form.querySelectorAll("input[type=file]")) {
  input.addEventListener("change", () => {
    take([...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
    input.value = "";
  });
}

// "Add pages" of a name in the list.
document.addEventListener("click", (event) => {
  const row = event.target.closest(".add")?.closest("tr");
  if (!row) return;
  name.value = row.dataset.shown;
  proposed = ""; // it stays, whatever is chosen
  relabel();
  form.scrollIntoView({ block: "center" });
  document.getElementById("files").focus();
});

// Anywhere on the page: files dropped outside the zone would be opened by the browser.
const rowAt = (event) => event.target.closest?.("#names tr[data-name]");

function mark(target) {
  for (const each of document.querySelectorAll(".over")) each.classList.remove("over");
  target?.classList.add("over");
}

addEventListener("dragover", (event) => {
  event.preventDefault();
  mark(rowAt(event) ?? zone);
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) mark();
});
addEventListener("drop", async (event) => {
  event.preventDefault();
  mark();
  const about = rowAt(event)?.dataset.shown;
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const plain = [...event.dataTransfer.files].map((file) => ({ path: file.name, file }));
  try {
    const found = (await Promise.all(entries.map((entry) => within(entry)))).flat();
    take(entries.length ? found : plain, about); // not everything that is dropped is on a disk
    form.scrollIntoView({ block: "nearest" });
  } catch (error) {
    complain(`The files cannot be read: ${error.message}`);
  }
});
