// Progress of jobs, and buttons that send requests.

import { ask, calm, complain } from "./asking.js";

const PAUSE = 300; // milliseconds
const ENDS = new Set(["done", "failed", "stopped"]);
const jobs = document.getElementById("jobs");

function show(card, job) {
  const what = card.querySelector(".what");
  const bar = card.querySelector("progress");
  const words = { waiting: "Waiting", done: "Done", failed: job.error, stopped: "Stopped" };
  const text = words[job.state] ?? (job.what || "Beginning");
  if (what.textContent !== text) what.textContent = text; // read out only when it changes
  card.querySelector(".count").textContent =
    job.state === "running" && job.total ? `${job.done} of ${job.total}` : "";
  if (job.state === "running" && job.total) {
    bar.max = job.total;
    bar.value = job.done;
  } else {
    bar.removeAttribute("value");
  }
  bar.hidden = ENDS.has(job.state);
  card.classList.toggle("failed", job.state === "failed");
}

function finish(card, job) {
  const actions = card.querySelector(".actions");
  const link = document.createElement("a");
  const done = job.state === "done";
  link.href = done ? job.report : "/";
  link.textContent = done ? "Open the report" : "All results";
  actions.replaceChildren(link);
  card.dataset.ended = "";
  if (done && !jobs.querySelector(".job:not([data-ended])")) location.assign(job.report);
}

async function follow(card) {
  for (;;) {
    let job;
    try {
      job = await ask(card.dataset.job);
    } catch (error) {
      complain(error.message);
      return;
    }
    show(card, job);
    if (ENDS.has(job.state)) {
      finish(card, job);
      return;
    }
    await new Promise((wake) => setTimeout(wake, PAUSE));
  }
}

function watch(card) {
  card.querySelector(".stop").addEventListener("click", () => {
    ask(card.dataset.job, "DELETE").catch((error) => complain(error.message));
  });
  follow(card);
}

export function begin(job) {
  const card = document.getElementById("job").content.querySelector(".job").cloneNode(true);
  card.dataset.job = job.url;
  card.querySelector(".name").textContent = job.name;
  jobs.hidden = false;
  jobs.append(card);
  card.scrollIntoView({ block: "nearest" });
  watch(card);
}

function list(element, items) {
  element.replaceChildren(
    ...items.map((item) => {
      const line = document.createElement("li");
      line.textContent = item;
      return line;
    }),
  );
}

function tellRemoved(answer) {
  const section = document.getElementById("removed");
  list(section.querySelector(".gone"), answer.removed);
  section.querySelector(".cached").textContent =
    `From the cache: ${answer.cached} ${answer.cached === 1 ? "entry" : "entries"}.`;
  for (const kept of section.querySelectorAll(".kept")) kept.hidden = !answer.kept.length;
  list(section.querySelector("ul.kept"), answer.kept);
  document.getElementById("ask").hidden = true;
  for (const asked of document.querySelectorAll(".asked")) asked.hidden = true;
  document.querySelector(".told").hidden = false;
  section.hidden = false;
  section.focus();
}

for (const button of document.querySelectorAll("[data-post]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    calm();
    try {
      const answer = await ask(button.dataset.post, "POST");
      if (button.dataset.then === "removed") tellRemoved(answer);
      else begin(answer);
    } catch (error) {
      button.disabled = false;
      complain(error.message);
    }
  });
}

for (const card of document.querySelectorAll("#jobs .job")) watch(card);
document.documentElement.dataset.ready = "true";
