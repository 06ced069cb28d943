// The line over a room's page: how the connection is, what was refused, and why all is over here.

const bubble = document.getElementById("wire");
let clearing = 0;
let lasting = true; // no end was set for what is said, or nothing is
let over = false;

/** What the line can say, in the reader's language. */
export const words = bubble.dataset;

/** Shows a text for some seconds, without a number until something else is said; "" hides it. */
export function say(text, seconds = 0) {
  if (over) return;
  clearTimeout(clearing);
  lasting = !seconds;
  bubble.firstElementChild.textContent = text;
  bubble.hidden = !text;
  if (seconds) clearing = setTimeout(() => say(""), seconds * 1000);
}

/** Shows a text after some milliseconds, unless something else is said before. */
export function sayLater(text, milliseconds) {
  clearTimeout(clearing);
  lasting = true;
  clearing = setTimeout(() => say(text), milliseconds);
}

/** Takes back what has no end of its own, or is about to be said. */
export function hush() {
  if (lasting) say("");
}

/** Says for good why this page is no longer right, and leaves nothing to press but to reload. */
export function end(text) {
  if (over) return;
  say(text);
  over = true;
  const reload = bubble.lastElementChild;
  reload.hidden = false;
  for (const part of document.querySelectorAll("main, header .menu")) part.inert = true;
  reload.focus({ preventScroll: true });
}

/** Tells whether `end` was called. */
export const ended = () => over;

bubble.lastElementChild.addEventListener("click", () => location.reload());
