// This browser's part of the shuffle: 32 random bytes that it keeps and only promises at first.
// `played` says that it had a seat once the cards were dealt, so that its part cannot be missing.

import { hex, sha256 } from "./sha256.js";

const key = (code) => `motherlode.r.${code}`;
const fromHex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

/** Returns what this browser kept for a room, {r, commitment, played}, or null. */
export function kept(code) {
  try {
    const found = JSON.parse(localStorage.getItem(key(code)));
    return /^[0-9a-f]{64}$/.test(found?.r) ? found : null;
  } catch {
    return null;
  }
}

/**
 * Draws and keeps the bytes for a room, once for each promise of the server, and returns their
 * hash. Where nothing can be kept it returns "": better to add nothing than to lose it.
 */
export function promised(code, commitment) {
  let own = kept(code);
  if (own?.commitment !== commitment) {
    own = { r: hex(crypto.getRandomValues(new Uint8Array(32))), commitment };
    try {
      localStorage.setItem(key(code), JSON.stringify(own));
    } catch {
      return "";
    }
  }
  return sha256(fromHex(own.r));
}

/** Takes note that this browser plays in the game that was dealt. */
function playing(main) {
  const own = kept(main.dataset.room);
  if (!own || own.played || !document.querySelector("[data-mine]")) return;
  try {
    localStorage.setItem(key(main.dataset.room), JSON.stringify({ ...own, played: true }));
  } catch {
    // What was kept before is worth as much as it was.
  }
}

/** Says under a finished game whether what was used is what this browser kept. */
export function compare(main) {
  playing(main);
  for (const note of main.querySelectorAll("[data-kept]")) {
    const own = kept(main.dataset.room);
    const same = own && own.r === note.dataset.kept && own.commitment === main.dataset.commitment;
    note.textContent = !own ? note.dataset.none : same ? note.dataset.same : note.dataset.differs;
    note.hidden = false;
  }
}
