// The search form, and the question before anything is sent.

import { ask, calm, complain } from "./asking.js";
import { begin } from "./jobs.js";

const form = document.getElementById("search");
const dialog = document.getElementById("confirm");
const value = (id) => document.getElementById(id)?.value.trim() ?? "";
let key = "";

export async function prepare(request, lists = []) {
  calm();
  const data = new FormData();
  data.append("request", JSON.stringify(request));
  for (const file of lists) data.append("lists", file, file.name);
  try {
    const plan = await ask(form.action, "POST", data);
    key = plan.key;
    dialog.querySelector("bdi").textContent = plan.name;
    const steps = plan.steps.map((step) => {
      const line = document.createElement("li");
      line.textContent = step;
      return line;
    });
    dialog.querySelector("ul").replaceChildren(...steps);
    dialog.showModal();
  } catch (error) {
    complain(error.message);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const request = {
    name: value("wanted"),
    also: value("also").split("\n").filter((line) => line.trim()),
    words: value("words"),
    engine: value("engine"),
    pages: Number(value("most")) || 10,
  };
  prepare(request, document.getElementById("lists")?.files);
});

document.addEventListener("click", (event) => {
  const row = event.target.closest(".again")?.closest("tr");
  if (row) prepare({ name: row.dataset.shown, identifier: row.dataset.name });
});

dialog.querySelector(".cancel").addEventListener("click", () => dialog.close());
dialog.querySelector(".send").addEventListener("click", async () => {
  dialog.close();
  try {
    const headers = { "Content-Type": "application/json" };
    begin(await ask(dialog.dataset.send, "POST", JSON.stringify({ key }), headers));
    document.dispatchEvent(new CustomEvent("search-sent"));
    form.reset();
    for (const details of form.querySelectorAll("details")) details.open = false;
  } catch (error) {
    complain(error.message);
  }
});
