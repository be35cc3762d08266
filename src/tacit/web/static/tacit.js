// Everything works without this. It saves reloads: a button's answer takes the place of the part it was pressed in.
"use strict";

const live = document.getElementById("live");

function say(text) {
  live.textContent = "";
  setTimeout(() => { live.textContent = text; }, 50);
}

function complain(part, text) {
  part.querySelector(".fault")?.remove();
  const line = document.createElement("p");
  line.className = "fault";
  line.setAttribute("role", "alert");
  line.textContent = text;
  part.append(line);
}

async function press(form, button) {
  const part = form.closest("[data-part]");
  const fields = new FormData(form, button);
  fields.set("part", part.dataset.part);
  let answer;
  try {
    answer = await fetch(form.action, { method: "POST", body: fields, credentials: "same-origin" });
  } catch {
    complain(part, "tacit has stopped, and this was not saved. Start it again with tacit node start.");
    return;
  }
  const text = await answer.text();
  if (!answer.ok) {
    complain(part, answer.status === 422 ? text : "This page is out of date. Load it again.");
    return;
  }
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("[data-part]");
  const here = part.contains(document.activeElement);  // somebody who went on meanwhile stays where they are
  part.closest("li")?.classList.toggle("done", fresh.dataset.state === "done");
  part.replaceWith(fresh);
  if (here) fresh.querySelector("[data-focus]")?.focus();
  say(fresh.dataset.says);
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-quiet]")) return;
  event.preventDefault();
  press(event.target, event.submitter);
});

for (const area of document.querySelectorAll("[data-drop]")) {
  const over = (on) => (event) => { event.preventDefault(); area.classList.toggle("over", on); };
  area.addEventListener("dragover", over(true));
  area.addEventListener("dragleave", over(false));
  area.addEventListener("drop", (event) => {
    over(false)(event);
    if (!event.dataTransfer.files.length) return;
    area.querySelector("input[type=file]").files = event.dataTransfer.files;
    area.requestSubmit();
  });
}

for (const field of document.querySelectorAll("[data-select]")) {
  field.addEventListener("focus", () => field.select());
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    say("Copied");
    button.textContent = "Copied";
  });
}

const line = document.querySelector("[data-live]");
if (line) {
  let told = Date.now();
  setInterval(async () => {
    // A screen reader hears a change at most once a minute; a link that has the focus stays.
    if (document.hidden || Date.now() - told < 60000 || line.contains(document.activeElement)) return;
    try {
      const answer = await fetch(line.dataset.live, { credentials: "same-origin" });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body;
      if (fresh.textContent.trim() === line.textContent.trim()) return;
      told = Date.now();
      line.replaceChildren(...fresh.childNodes);
    } catch { /* The node stopped; the next load says so. */ }
  }, 5000);
}
