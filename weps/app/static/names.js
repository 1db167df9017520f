// The list of names is brought up to date when a job has ended.

import { place } from "./jobs.js";

const section = document.getElementById("names");
const PAUSE = 1000; // milliseconds, between requests for the list
let asked = 0;
let waiting = 0;

// The page is asked for again, and its list put in place of this one; jobs stay where they are.
async function refresh() {
  const text = await fetch("/", { headers: { "X-Weps": "1" } }).then((answer) => answer.text()).catch(() => "");
  const page = new DOMParser().parseFromString(text, "text/html");
  const [fresh, sent] = ["names", "sent"].map((id) => page.getElementById(id));
  if (!fresh) return;
  const cards = [...section.querySelectorAll(".job"), ...document.querySelectorAll("#jobs .job")];
  const focused = document.activeElement.closest("#names tr")?.dataset.name;
  document.getElementById("sent").replaceWith(document.adoptNode(sent));
  section.hidden = fresh.hidden;
  document.getElementById("names-title").textContent = fresh.querySelector("h2").textContent;
  section.querySelector(".find label").hidden = fresh.querySelector(".find label").hidden;
  section.querySelector("tbody").replaceWith(document.adoptNode(fresh.querySelector("tbody")));
  for (const card of cards) place(card);
  document.dispatchEvent(new CustomEvent("names-listed"));
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

// A page that was sent meanwhile waits for consent.
document.addEventListener("visibilitychange", () => document.hidden || document.dispatchEvent(new CustomEvent("names-changed")));
