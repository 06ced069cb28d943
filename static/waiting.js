// Other games of mine: says on a game's page that one waits, and renews the list of all.

const EVERY = 30_000; // milliseconds between two looks of a page that is seen
const SOONEST = 2_000;
let looked = 0;
let timer = 0;

/** Looks whether another game waits for me, but not twice within a few seconds. */
export async function lookElsewhere() {
  const place = document.querySelector("[data-elsewhere]");
  if (!place || document.hidden || Date.now() - looked < SOONEST) return;
  clearTimeout(timer);
  timer = setTimeout(lookElsewhere, EVERY);
  if ((document.documentElement.dataset.wire ?? "online") !== "online") return;
  looked = Date.now();
  const but = encodeURIComponent(place.dataset.elsewhere);
  try {
    const answer = await fetch(`/api/games/next?but=${but}`, { cache: "no-store" });
    if (!answer.ok) return;
    const { waiting } = await answer.json();
    const now = document.querySelector("[data-elsewhere]");
    if (now?.dataset.waiting !== undefined && now.dataset.waiting !== String(waiting)) location.reload();
    else if (now && now.dataset.waiting === undefined) now.hidden = waiting === 0;
  } catch {
    // Without a connection the page says so elsewhere.
  }
}

document.addEventListener("visibilitychange", lookElsewhere);
lookElsewhere();
