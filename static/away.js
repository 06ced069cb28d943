// Coming back to a table where more than one thing has happened: says shortly what, where the log
// itself is out of sight.

const LONG = 20_000; // milliseconds out of sight after which somebody comes back
const LINES = 4;
const SHOWN = 15_000;
const TOLD = "motherlode.away"; // the newest entry that was told already, by room
/** Where the log leads to what is newer than my last move. */
export const SINCE = '#r-log > a[href*="/back?"]';
let hidden = 0;
let newest = -1;

/** Returns the entry that a line of the log is about: those below a number count down from it. */
export function seqOf(line) {
  let below = 0;
  let numbered = line;
  for (; !numbered.value && numbered.previousElementSibling; below++) numbered = numbered.previousElementSibling;
  return numbered.value - below;
}

/** Returns the lines of the log that are newer than my last move, newest first. */
function news() {
  const since = document.querySelector(SINCE);
  const first = since ? Number(new URL(since.href).searchParams.get("at")) : Infinity;
  return [...document.querySelectorAll("#r-log li")].filter((line) => seqOf(line) >= first);
}

/** Returns the entry of the newest of these lines, -1 without one. */
const newestOf = (lines) => (lines.length ? seqOf(lines[0]) : -1);

/** Returns whether the newest of these was told in this tab before, and notes that it is now. */
function toldBefore(newest) {
  const { room } = document.getElementById("main").dataset;
  try {
    const told = JSON.parse(sessionStorage.getItem(TOLD)) ?? {};
    if (told[room] >= newest) return true;
    sessionStorage.setItem(TOLD, JSON.stringify({ ...told, [room]: newest }));
  } catch {
    // A browser that keeps nothing tells it again with the next page.
  }
  return false;
}

function close() {
  document.querySelector(".away")?.remove();
}

function welcome(least) {
  if (document.querySelector(".result")) return; // It says itself how things have come, and must not be covered.
  const lines = news();
  const template = document.getElementById("since");
  if (!template || document.getElementById("story")?.open || lines.length < least || toldBefore(newestOf(lines))) return;
  close();
  const note = template.content.firstElementChild.cloneNode(true);
  note.querySelector("[data-back]").href = document.querySelector(SINCE).href;
  for (const line of lines.slice(0, LINES).reverse()) {
    const item = document.createElement("li");
    item.append(...line.cloneNode(true).childNodes);
    note.querySelector("ol").append(item);
  }
  document.getElementById("main").append(note);
  setTimeout(() => note.remove(), SHOWN);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    hidden = Date.now();
    newest = newestOf(news());
  } else if (hidden && Date.now() - hidden > LONG) {
    // The page needs a moment to hear what it has missed.
    setTimeout(() => newestOf(news()) > newest && welcome(1), 2000);
  }
});
document.addEventListener("click", ({ target }) => {
  // It lies over the table: any press beside it is about what is under it.
  if (!target.closest(".away") || target.closest("[data-away], [data-back]")) close();
});
document.addEventListener("submit", close, true);
document.addEventListener("keydown", ({ key }) => key === "Escape" && close());
welcome(2);
