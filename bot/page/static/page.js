// What a script adds: answers appear in place, and are read out. Everything works without.
"use strict";
document.addEventListener("htmx:afterSwap", (event) => {
  const answer = event.detail.target;
  if (answer.id !== "answer") return;
  const form = event.detail.requestConfig.elt;
  const once = form.querySelector && form.querySelector("input[name=once]");
  if (once) {
    // The form may be sent again: under a word of its own, as a form of a page loaded anew.
    const bytes = crypto.getRandomValues(new Uint8Array(9));
    once.value = Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
  }
  // Who tries one value after another stays in the field.
  if (form.matches(".setting")) return;
  answer.focus({ preventScroll: true });
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  answer.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
});
