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
  const close = document.createElement("button");
  close.type = "button"; close.className = "close quiet"; close.textContent = answer.dataset.close;
  close.addEventListener("click", () => shut(answer, form));
  answer.prepend(close);
  answer.tabIndex = 0;
  answer.scrollTop = 0;
  // Who tries one value after another stays in the field, and sees it.
  if (!form.matches(".setting")) return answer.focus({ preventScroll: true });
  const under = form.getBoundingClientRect().bottom - answer.getBoundingClientRect().top;
  if (under > 0) scrollBy({ top: under + 12, behavior: "instant" });
});
document.addEventListener("keydown", (event) => {
  const answer = document.getElementById("answer");
  if (event.key === "Escape" && answer && answer.contains(document.activeElement)) shut(answer);
});
function shut(answer, form) {
  answer.replaceChildren();
  answer.tabIndex = -1;
  const back = form && form.isConnected ? form.querySelector("input:not([type=hidden]), button") : null;
  (back || document.getElementById("main")).focus({ preventScroll: true });
}
