// Tells me that it is my turn: by a tone, and by a notification while the page is out of sight.
// Tells the house that I look at the page, so that it does not send me one.

import { begin, clear, end, note, renew, state } from "./notify.js";
import { isOn, play, playOnce, switchSound } from "./sound.js";

const EVERY = 15_000; // milliseconds; the house believes it for twice as long
let wire = null;
let before = look(0);
let told = null; // what `renew` found out

function look(v) {
  const main = document.getElementById("main");
  // The curtain between two turns on one device asks too, for whom it names.
  const form = document.querySelector('[data-region="prompt"] form');
  const asked = form && (form.getAttribute("id") ?? `seat ${form.elements.seat?.value}`);
  const over = document.querySelector(".result") !== null;
  return { asked, over, v, seat: main.dataset.seat };
}

/** Notes a state that the page shows now; `own`: it answers something that I did here. */
export function attend(v, own) {
  const { room, noteTitle, noteBody } = document.getElementById("main").dataset;
  const now = look(v);
  const was = before;
  before = now;
  if (now.seat !== was.seat) return;
  // Of several steps of one turn only the first is a turn that comes to me.
  const comes = now.asked && now.asked !== was.asked && (!was.asked || now.v > was.v + 1);
  if (comes) {
    playOnce("turn", `${room} ${now.asked}`);
    if (document.hidden) note(room, noteTitle, noteBody);
  } else if (now.over && !was.over) playOnce("end", `${room} end`);
  else if (own) play("move");
  if (was.asked && !now.asked) clear(room);
}

/** The socket is open: says whether the page is in sight, and does so again and again. */
export function inSight(line = wire) {
  wire = line;
  if (document.hidden || document.documentElement.dataset.wire === "offline") return;
  wire?.send({ t: "seen" });
}

/** Draws the switches where there are any that have not been drawn yet. */
export function dressSwitches() {
  for (const place of document.querySelectorAll("[data-tells][hidden]")) {
    place.querySelector("[data-sound]").checked = isOn();
    place.hidden = false;
    tellState(told ?? state());
  }
}

function tellState(what) {
  for (const place of document.querySelectorAll("[data-tells]")) {
    const box = place.querySelector("[data-tell]");
    box.checked = what === "on" || what === "closed";
    box.disabled = ["insecure", "missing", "denied"].includes(what);
    place.querySelector("[data-said]").textContent = place.dataset[what] ?? "";
  }
}

document.addEventListener("change", async ({ target }) => {
  if (target.matches("[data-sound]")) {
    switchSound(target.checked);
    if (target.checked) play("turn");
  } else if (target.matches("[data-tell]")) {
    told = await (target.checked ? begin() : end());
    tellState(told);
  }
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  inSight();
  const { room } = document.getElementById("main").dataset;
  if (room) clear(room);
});
setInterval(inSight, EVERY);
dressSwitches();
if (state() === "on") {
  renew().then((what) => {
    told = what;
    tellState(what);
  });
}
