// Coming back to a table where more than one thing has happened: says shortly what, where the log
// itself is out of sight.

const LONG = 20_000; // milliseconds out of sight after which somebody comes back
const LINES = 4;
const SHOWN = 15_000;
let hidden = 0;
let newest = 0;

const news = () => [...document.querySelectorAll("#r-log li.new")];

function close() {
  document.querySelector(".away")?.remove();
}

function welcome(least) {
  const lines = news();
  const template = document.getElementById("since");
  if (!template || document.getElementById("story")?.open || lines.length < least) return;
  close();
  const note = template.content.firstElementChild.cloneNode(true);
  note.querySelector("[data-back]").dataset.back = lines.at(-1).dataset.seq;
  note.querySelector("[data-back]").href = document.querySelector("#r-log .since a").href;
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
    newest = Number(news()[0]?.dataset.seq ?? 0);
  } else if (hidden && Date.now() - hidden > LONG) {
    // The page needs a moment to hear what it has missed.
    setTimeout(() => Number(news()[0]?.dataset.seq ?? 0) > newest && welcome(1), 2000);
  }
});
document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-away], .away [data-back], main form")) close();
});
document.addEventListener("submit", close, true);
welcome(2);
