// The form of names and addresses, the question before anything is sent, and search engines.

import { ask, calm, complain } from "./asking.js";
import { begin } from "./jobs.js";

const form = document.getElementById("search");
const dialog = document.getElementById("confirm");
const value = (id) => document.getElementById(id)?.value.trim() ?? "";
const JSON_TYPE = { "Content-Type": "application/json" };
const MOST_NAMES = 20;
const ADDRESS = /^(https?:\/\/\S+|[\w-]+(\.[\w-]+)+(:\d+)?([/?#]\S*)?)$/i;
let keys = [];

async function plan(request, lists) {
  const data = new FormData();
  data.append("request", JSON.stringify(request));
  for (const file of lists) data.append("lists", file, file.name);
  return ask(form.action, "POST", data);
}

export async function prepare(requests, lists = []) {
  calm();
  try {
    const plans = [];
    for (const request of requests) plans.push(await plan(request, lists));
    keys = plans.map(({ key }) => key);
    dialog.querySelector("bdi").textContent = plans.map(({ name }) => name).join(", ");
    const steps = [...new Set(plans.flatMap((each) => each.steps))].map((step) => {
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

const lines = () => value("wanted").split("\n").map((line) => line.trim()).filter(Boolean);
const hasEngine = () => document.getElementById("engines").dataset.chosen === "true";

function hint(text) {
  document.getElementById("hint").textContent = text;
}

form?.querySelector("#wanted").addEventListener("input", () => {
  hint("");
  document.getElementById("about").hidden = !lines().some((line) => ADDRESS.test(line));
});

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const lists = [...document.getElementById("lists").files];
  const addresses = lines().filter((line) => ADDRESS.test(line));
  const names = lines().filter((line) => !ADDRESS.test(line));
  const whose = value("whose") || names[0] || "";
  const more = { also: value("also").split("\n").filter((line) => line.trim()), words: value("words") };
  if (addresses.length) {
    if (!whose || names.length > 1) {
      hint("Whose pages are these? Fill in the person’s name.");
      document.getElementById("whose").focus();
      return;
    }
    const text = addresses.map((line) => (line.includes("://") ? line : `https://${line}`)).join("\n");
    lists.push(new File([text], "addresses.txt"));
    prepare([{ name: whose, ...more }], lists);
  } else if (names.length > MOST_NAMES) {
    hint(`Please paste at most ${MOST_NAMES} names at a time.`);
  } else if (!lists.length && !hasEngine()) {
    hint("To find pages by name, weps asks a search engine that you choose: set one up below, or paste addresses of pages instead.");
    document.getElementById("engines").open = true;
    document.getElementById("searxng").focus();
  } else {
    const options = { ...more, engine: value("engine"), pages: Number(value("most")) || 10 };
    prepare(names.map((name) => ({ name, ...options })), lists);
  }
});

document.addEventListener("click", (event) => {
  const row = event.target.closest(".again")?.closest("tr");
  if (row) prepare([{ name: row.dataset.shown, identifier: row.dataset.name }]);
});

dialog.querySelector(".cancel").addEventListener("click", () => dialog.close());
dialog.querySelector(".send").addEventListener("click", async () => {
  dialog.close();
  try {
    const stay = keys.length > 1;
    for (const key of keys) begin(await ask(dialog.dataset.send, "POST", JSON.stringify({ key }), JSON_TYPE), stay);
    document.dispatchEvent(new CustomEvent("search-sent"));
    form.reset();
    document.getElementById("about").hidden = true;
    for (const details of form.querySelectorAll("details")) details.open = false;
  } catch (error) {
    complain(error.message);
  }
});

// Search engines: one that answers a test is used from then on.
async function setUp(engine) {
  const [button, field] = [engine.querySelector("button"), engine.querySelector("input")];
  const told = document.getElementById("tested");
  button.disabled = true;
  told.className = "";
  told.textContent = "Testing …";
  try {
    const { message, engines } = await ask(engine.action, "POST", JSON.stringify({ setting: field.value }), JSON_TYPE);
    told.textContent = message;
    told.className = "good";
    field.value = "";
    hint("");
    showEngines(engines);
    document.dispatchEvent(new CustomEvent("names-changed")); // names can be searched for again
  } catch (error) {
    told.textContent = error.message;
  }
  button.disabled = false;
}

function showEngines(engines) {
  const choice = document.getElementById("engine");
  choice.replaceChildren(...engines.map(([key, label]) => new Option(label, key)));
  choice.parentElement.hidden = engines.length < 2;
  document.getElementById("engines").dataset.chosen = "true";
  document.getElementById("asked").textContent = engines.map(([, label]) => label).join(", ");
}

for (const engine of document.querySelectorAll(".engine")) {
  engine.addEventListener("submit", (event) => {
    event.preventDefault();
    setUp(engine);
  });
}
