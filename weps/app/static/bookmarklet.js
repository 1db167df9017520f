// The bookmark that sends the page at hand, and the pages that wait for consent.

import { complain } from "./asking.js";

const link = document.getElementById("bookmarklet");
const receiver = document.getElementById("receiver");

// Runs in a page of another site, by its bookmark: everything that it needs is in its text.
async function send(address, receiver) {
  const name = receiver || prompt("weps: whose page is this?");
  if (!name) return;
  const { title, documentElement: { outerHTML: html } } = document;
  const body = JSON.stringify({ name, url: location.href, title, html });
  try {
    const answer = await (await fetch(address, { method: "POST", body })).json();
    alert(answer.message ?? `weps: ${answer.error}`);
  } catch {
    alert("The page cannot be sent: weps does not run, or this site forbids it. Save the page, and drop the file.");
  }
}

function write() {
  const values = [link.dataset.send, receiver.value.trim()].map((each) => JSON.stringify(each));
  link.href = `javascript:${encodeURIComponent(`(${send})(${values})`)}`;
}

receiver.addEventListener("input", write);
link.addEventListener("click", (event) => {
  event.preventDefault();
  complain("Drag this to the bookmarks bar of your browser, and press it there, on the page that you want to add.");
});
write();
