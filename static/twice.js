// A double click, a double tap and a key that is held answer once: what comes to lie under the
// finger with the next question is not pressed by the second half of the same press.

const TOGETHER = 500; // milliseconds between two presses of one
const NEAR = 24; // CSS pixels

let down = null; // the last press of a pointer
let answer = null; // the last one that answered a question
let timer = 0;
const resting = new Set();

/** Tells whether the keys for answering belong to a field that is written in. */
export const typing = (target) => target.matches('input:not([type="radio"], [type="checkbox"]), textarea, [contenteditable]');

/** Takes note that what was pressed last has been sent as an answer. */
export function answered() {
  answer = down && { ...down, at: Date.now() };
}

/**
 * The question is another one now: the buttons where it was answered rest for a moment. They let
 * presses through instead of being disabled, which would take the focus away.
 */
export function restUnderThePress() {
  wake();
  const left = answer ? answer.at + TOGETHER - Date.now() : 0;
  if (left <= 0) return;
  for (const button of document.querySelectorAll("main :is(button, a.button)")) {
    const box = button.getBoundingClientRect();
    const aside = Math.max(box.left - answer.x, answer.x - box.right, box.top - answer.y, answer.y - box.bottom);
    if (aside > NEAR) continue;
    resting.add(button);
    button.style.pointerEvents = "none";
  }
  timer = setTimeout(restUnderThePress, left);
}

function wake() {
  clearTimeout(timer);
  for (const button of resting) {
    button.style.pointerEvents = "";
    if (!button.style.length) button.removeAttribute("style");
  }
  resting.clear();
}

document.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
  down = { x, y };
  if (!answer || Date.now() - answer.at > TOGETHER) return;
  // A third press of the same hurry counts from the second one.
  if (Math.hypot(answer.x - x, answer.y - y) <= NEAR) answer.at = Date.now();
}, true);

document.addEventListener("keydown", (event) => {
  if (!event.repeat) down = null;
  const answers = ["Enter", " "].includes(event.key) || event.ctrlKey || event.metaKey;
  if (!event.repeat || !answers || typing(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
