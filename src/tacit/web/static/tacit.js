// Everything works without this. It keeps the status line fresh and joins the slider to its number.
"use strict";

for (const slide of document.querySelectorAll("input[data-with]")) {
  const number = document.getElementById(slide.dataset.with);
  const say = () => {
    const tenths = Math.round(Number(slide.value) / 10);
    slide.setAttribute("aria-valuetext", `${slide.value} percent, about ${tenths} in 10 ratings`);
  };
  slide.hidden = false;
  slide.addEventListener("input", () => { number.value = slide.value; say(); });
  number.addEventListener("input", () => { slide.value = number.value; say(); });
  say();
}

for (const area of document.querySelectorAll("[data-select]")) {
  area.addEventListener("focus", () => area.select());
}

const live = document.querySelector("[data-live]");
if (live) {
  let told = 0;
  setInterval(async () => {
    // A screen reader hears a change at most once a minute; focus never moves.
    if (document.hidden || Date.now() - told < 60000) return;
    try {
      const answer = await fetch(live.dataset.live, { credentials: "same-origin" });
      if (!answer.ok) return;
      const text = (await answer.text()).trim();
      const fresh = new DOMParser().parseFromString(text, "text/html").body;
      if (fresh.textContent.trim() === live.textContent.trim()) return;
      told = Date.now();
      live.replaceChildren(...fresh.childNodes);
    } catch { /* The node stopped; the next load says so. */ }
  }, 5000);
}
