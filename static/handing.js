// Several people on one device: in between their turns nothing of the page may stay to be seen.

import { forget } from "./regions.js";

/** Returns what a request is to say of whose hands the page is in: a seat, or "" for nobody's. */
export const inHands = (seat) => ({ "Motherlode-Seat": String(seat ?? "") });

/** Tells whether the page is to be another one for the seat that a state names. */
export const isOthers = (main, seat) => String(seat ?? "") !== (main.dataset.seat ?? "");

/**
 * Takes everything off the page and out of what is remembered of it. Whatever state comes next
 * finds a page that is none, and has the right one fetched.
 */
export function cover(main) {
  forget();
  main.replaceChildren();
  document.documentElement.removeAttribute("data-past"); // looking back ends with it
  main.dataset.layout = "";
  main.dataset.seat = "";
}

// A page that the browser keeps for going back to would show the cards again to whoever goes back.
addEventListener("pagehide", () => {
  const main = document.getElementById("main");
  if (main?.dataset.seat) cover(main);
});
