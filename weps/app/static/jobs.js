// Progress of jobs, and buttons that send requests.

import { ask, calm, complain } from "./asking.js";

const PAUSE = 300; // milliseconds
const ENDS = new Set(["done", "failed", "stopped"]);
const FEW = 3; // of more jobs, those that wait are only counted
const jobs = document.getElementById("jobs");
const queue = document.getElementById("queue"); // on the page with all names
const followed = new Map(); // address of a job that has not ended → its card
let watched = 0; // a job that is the only one leads to its report
let staying = false; // others are to come
let failed = 0;

function show(card, job) {
  const what = card.querySelector(".what");
  const bar = card.querySelector("progress");
  const words = { waiting: "Waiting", done: job.message || "Done", failed: job.error, stopped: "Stopped" };
  const text = job.stopping ? "Stopping" : (words[job.state] ?? (job.what || "Beginning"));
  if (what.textContent !== text) what.textContent = text; // read out only when it changes
  card.querySelector(".count").textContent =
    job.state === "running" && job.total ? `${job.done} of ${job.total}` : "";
  if (job.state === "running" && job.total) {
    bar.max = job.total;
    bar.value = job.done;
  } else {
    bar.removeAttribute("value");
  }
  bar.hidden = job.state !== "running";
  card.classList.toggle("failed", job.state === "failed");
  list(card, job.pages ?? []);
}

function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

function rowOf(page) {
  const row = document.createElement("tr");
  const title = element("td");
  const link = element(/^https?:/.test(page.url) ? "a" : "bdi", page.title || page.url);
  if (link.href !== undefined) Object.assign(link, { href: page.url, rel: "noopener noreferrer", target: "_blank" });
  title.append(link, element("small", page.url));
  const status = element("td");
  status.append(element("span", page.status, `status ${page.status.replaceAll(" ", "-")}`));
  row.append(title, status, element("td", page.note));
  return row;
}

function list(card, pages) {
  if (!pages.length) return;
  const details = card.querySelector(".downloads");
  if (details.hidden) details.open = true;
  details.hidden = false;
  details.querySelector("tbody").prepend(...pages.map(rowOf).reverse()); // the latest first
  const counts = {};
  for (const { textContent: status } of details.querySelectorAll(".status")) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  details.querySelector(".tally").textContent = Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(", ");
}

function finish(card, job) {
  const done = job.state === "done";
  const actions = card.querySelector(".actions");
  actions.replaceChildren();
  if (done || !document.getElementById("names")) {
    const link = element("a", done ? "Open the report" : "All results");
    link.href = done ? job.report : "/";
    actions.append(link);
  }
  card.dataset.ended = job.state;
  if (done && watched === 1 && !staying) location.assign(job.report);
  else document.dispatchEvent(new CustomEvent("names-changed"));
}

// All jobs are asked for at once; of those that download, also the latest pages.
async function tell(card, job) {
  const seen = Number(card.dataset.seen ?? 0);
  if (job.downloaded > seen) job.pages = (await ask(`${card.dataset.job}?after=${seen}`)).pages;
  card.dataset.seen = seen + (job.pages?.length ?? 0);
  const began = card.dataset.state !== job.state;
  card.dataset.state = job.state;
  show(card, job);
  if (began && job.state !== "waiting") place(card);
  if (!ENDS.has(job.state)) return;
  failed += job.state === "failed";
  followed.delete(card.dataset.job);
  finish(card, job);
}

function showQueue() {
  if (!queue) return;
  const done = watched - followed.size;
  queue.hidden = watched <= FEW || !followed.size;
  jobs.classList.toggle("many", !queue.hidden);
  queue.querySelector("output").textContent = `${done} of ${watched} names done${failed ? `, ${failed} failed` : ""}`;
  Object.assign(queue.querySelector("progress"), { max: watched || 1, value: done });
  if (!followed.size) [watched, failed, staying] = [0, 0, false];
  jobs.hidden = !jobs.querySelector(".job") && queue.hidden;
}

const GONE = { state: "failed", error: "The app was started again: reload the page." };

async function follow() {
  while (followed.size) {
    try {
      const states = new Map((await ask("/jobs")).jobs.map((job) => [job.url, job]));
      for (const [url, card] of [...followed]) await tell(card, states.get(url) ?? { ...GONE });
    } catch (error) {
      complain(error.message);
      followed.clear();
    }
    showQueue();
    await new Promise((wake) => setTimeout(wake, PAUSE));
  }
}

// A job about a name of the list is shown below it, unless the row says all; others at the top.
export function place(card) {
  const row = document.querySelector(`tr[data-name="${CSS.escape(card.dataset.subject)}"]`);
  if (!row || (followed.size > FEW && card.dataset.state === "waiting")) {
    jobs.hidden = false;
    if (card.parentElement !== jobs) jobs.append(card);
    return;
  }
  if (card.dataset.ended === "done" && card.querySelector(".what").textContent === "Done") {
    card.remove();
    jobs.hidden = !jobs.querySelector(".job");
    return;
  }
  const below = document.createElement("tr");
  const cell = document.createElement("td");
  below.className = "progress";
  cell.colSpan = row.cells.length;
  cell.append(card);
  below.append(cell);
  row.after(below);
  jobs.hidden = !jobs.querySelector(".job");
}

function watch(card) {
  watched += 1;
  card.querySelector(".stop").addEventListener("click", () => {
    ask(card.dataset.job, "DELETE").catch((error) => complain(error.message));
  });
  const idle = followed.size === 0;
  followed.set(card.dataset.job, card);
  if (idle) queueMicrotask(follow);
}

export function begin({ jobs: begun }, stay = false) {
  staying ||= stay;
  for (const job of begun) {
    const card = document.getElementById("job").content.querySelector(".job").cloneNode(true);
    card.dataset.job = job.url;
    card.dataset.subject = job.subject;
    card.querySelector(".name").textContent = job.name;
    card.querySelector(".stop").ariaLabel = `Stop ${job.name}`;
    card.querySelector(".scroll").ariaLabel = `Pages downloaded for ${job.name}`;
    for (const old of document.querySelectorAll(".job[data-ended]")) {
      if (old.dataset.subject === job.subject) (old.closest("tr.progress") ?? old).remove();
    }
    card.dataset.state = job.state;
    watch(card);
    place(card);
  }
  showQueue();
  followed.get(begun[0]?.url)?.scrollIntoView({ block: "nearest" });
}

function tellRemoved(answer) {
  const section = document.getElementById("removed");
  const items = (texts) => texts.map((text) => element("li", text));
  section.querySelector(".gone").replaceChildren(...items(answer.removed));
  section.querySelector(".cached").textContent =
    `From the cache: ${answer.cached} ${answer.cached === 1 ? "entry" : "entries"}.`;
  for (const kept of section.querySelectorAll(".kept")) kept.hidden = !answer.kept.length;
  section.querySelector("ul.kept").replaceChildren(...items(answer.kept));
  document.getElementById("ask").hidden = true;
  for (const asked of document.querySelectorAll(".asked")) asked.hidden = true;
  document.querySelector(".outcome").hidden = false;
  section.hidden = false;
  section.focus();
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-post]");
  if (!button) return;
  button.disabled = true;
  calm();
  try {
    const answer = await ask(button.dataset.post, "POST");
    if (button.dataset.then === "removed") tellRemoved(answer);
    else begin(answer);
    if (button.dataset.then === "gone") document.dispatchEvent(new CustomEvent("names-changed"));
  } catch (error) {
    button.disabled = false;
    complain(error.message);
  }
});

queue?.querySelector("button").addEventListener("click", () => {
  ask("/jobs", "DELETE").catch((error) => complain(error.message));
});
for (const card of document.querySelectorAll("#jobs .job")) {
  card.dataset.state = "waiting";
  watch(card);
}
for (const card of followed.values()) place(card);
showQueue();
document.documentElement.dataset.ready = "true";
