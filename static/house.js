// What the host of the house announces, on every page. A room's page hears of it by its socket,
// the others ask.

const EVERY = 5_000; // milliseconds
const HIDDEN = "announcement-hidden";
const bar = document.getElementById("announced");
const [place, button] = bar.children;
// Tables that fill the window leave out what this bar takes; its text wraps as it likes.
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--told", `${bar.offsetHeight}px`);
}).observe(bar);

/** Shows an announcement, or none where its id is null. One that was hidden stays so. */
export function announce({ id, text }) {
  const shown = id && id !== hidden() ? text : "";
  bar.dataset.id = id ?? "";
  if (place.textContent !== shown) place.textContent = shown;
  button.hidden = !shown;
}

/** Asks the house what is announced. */
export async function lookForNews() {
  try {
    const answer = await fetch("/api/announcement", { cache: "no-store" });
    if (answer.ok) announce(await answer.json());
  } catch {
    // Without a connection there is no news.
  }
}

function hidden() {
  try {
    return sessionStorage.getItem(HIDDEN);
  } catch {
    return null;
  }
}

button.addEventListener("click", () => {
  try {
    sessionStorage.setItem(HIDDEN, bar.dataset.id);
  } catch {
    // It will be shown again on the next page.
  }
  place.textContent = "";
  button.hidden = true;
});
announce({ id: bar.dataset.id, text: place.textContent });
if (!document.getElementById("wire")) {
  setInterval(() => document.hidden || lookForNews(), EVERY);
  document.addEventListener("visibilitychange", () => document.hidden || lookForNews());
}
