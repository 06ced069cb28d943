// Building four mountains: by dragging, by tapping a bar and then its place, or by keys. What is
// built so far stays in this tab; it is sent only by the form, when all ten bars have a place.

const MOVED = 6; // CSS pixels after which a press is a drag
const MOST = 4; // bars of a mountain that is mixed
let bars = []; // the ten buttons
let mountains = [[], [], [], []]; // numbers of bars, from bottom to top
let chosen = null;
let past = []; // what the mountains were before each step, the last one last
let grip = null;
let builder = null; // whose building it is

const site = () => document.getElementById("site");
const lots = () => [...site().querySelectorAll(".gh-lot")];
const column = (lot) => lot.querySelector(".gh-col");
const letter = (number) => lots()[number].querySelector(".gh-base b").textContent;
const size = (bar) => Number(bars[bar].dataset.size);
const home = (bar) => mountains.findIndex((mountain) => mountain.includes(bar));
const loose = () => bars.map((_, bar) => bar).filter((bar) => home(bar) < 0);
const height = (mountain) => mountain.reduce((sum, bar) => sum + size(bar), 0);
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Words

/** Fills the places of a sentence that the server has written. */
function phrase(key, values = {}) {
  return site().dataset[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function described(bar) {
  const at = home(bar);
  if (at < 0) return phrase("loose", { bar: size(bar) });
  const place = mountains[at].indexOf(bar) + 1;
  return phrase("placed", { bar: size(bar), letter: letter(at), place, count: mountains[at].length });
}

const said = (text) => { document.getElementById("said").textContent = text; };

function missing() {
  const rest = loose();
  const empty = mountains.flatMap((mountain, number) => (mountain.length ? [] : [letter(number)]));
  const told = [];
  if (rest.length) told.push(phrase("still", { count: rest.length }));
  if (empty.length) told.push(phrase("empty", { mountains: empty.join(", ") }));
  return told.join(" ");
}

// What is kept in this tab

/** Of two who share this device each has a building of their own. */
const key = () => {
  const { room, seat } = document.getElementById("main").dataset;
  return seat ? `gold-hunting ${room} ${seat}` : `gold-hunting ${room}`;
};

function recalled() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key()));
    const used = kept.flat();
    const sound = used.every((bar) => Number.isInteger(bar) && bar >= 0 && bar < bars.length);
    return kept.length === 4 && sound && new Set(used).size === used.length ? kept : null;
  } catch {
    return null;
  }
}

// Showing

/** Puts the buttons where the mountains say; each slides there from where it was. */
function show() {
  const before = bars.map((bar) => bar.getBoundingClientRect());
  const focus = document.activeElement;
  const places = [site().querySelector(".gh-tray"), ...lots().map(column)];
  const wanted = [loose(), ...mountains.map((mountain) => [...mountain].reverse())];
  places.forEach((place, i) => {
    const list = wanted[i].map((bar) => bars[bar]);
    const same = list.length === place.childElementCount && list.every((bar, at) => place.children[at] === bar);
    if (!same) place.replaceChildren(...list);
  });
  if (focus !== document.activeElement) focus.focus({ preventScroll: true });
  bars.forEach((piece, bar) => {
    piece.setAttribute("aria-pressed", String(bar === chosen));
    piece.querySelector(".vh").textContent = described(bar);
    slide(piece, before[bar]);
  });
  lots().forEach((lot, number) => {
    const sum = height(mountains[number]);
    lot.querySelector(".gh-height").textContent = sum;
    lot.querySelector(".gh-base .vh").textContent = phrase("lot", { letter: letter(number), height: sum });
  });
  site().classList.toggle("choosing", chosen !== null);
  report();
}

function slide(piece, from) {
  const to = piece.getBoundingClientRect();
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (calm() || !from.width || (!x && !y)) return;
  piece.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 180, easing: "ease-out" });
}

/** Hands the mountains to the form, and says what is missing. */
function report(hint = "") {
  const rest = missing();
  [...document.querySelectorAll('.ask input[type="text"][name="mountain"]')].forEach((field, number) => {
    field.readOnly = true;
    field.value = mountains[number].map(size).join("");
  });
  document.getElementById("ready").disabled = rest !== "";
  const idle = { clear: mountains.every((mountain) => !mountain.length), back: !past.length };
  for (const [action, none] of Object.entries(idle)) {
    const button = document.querySelector(`[data-do="${action}"]`);
    // A button that can do nothing more hands the focus on.
    if (none && document.activeElement === button) document.querySelector('[data-do="mix"]').focus();
    button.disabled = none;
  }
  document.getElementById("missing").textContent = hint || rest || phrase("full");
  sessionStorage.setItem(key(), JSON.stringify(mountains));
}

// Doing

/** Sets the mountains, so that the step can be undone. */
function step(next) {
  past.push(mountains);
  mountains = next;
}

function back() {
  if (!past.length) return;
  mountains = past.pop();
  chosen = null;
  show();
  said(missing() || phrase("full"));
}

/** Moves a bar to a place of a mountain, counted from the bottom without it; -1: off all of them. */
function move(bar, to, place = Infinity) {
  const next = mountains.map((mountain) => mountain.filter((other) => other !== bar));
  if (to >= 0) next[to].splice(Math.min(place, next[to].length), 0, bar);
  if (String(next) !== String(mountains)) step(next);
  chosen = null;
  show();
  said(`${described(bar)}. ${missing()}`);
}

function choose(bar) {
  chosen = bar;
  show();
  if (bar === null) return;
  const hint = phrase("taken", { bar: size(bar) });
  report(hint);
  said(hint);
}

function press(bar) {
  const under = home(bar);
  if (chosen === null || (under < 0 && chosen !== bar)) choose(bar);
  else if (chosen === bar) choose(null);
  else move(chosen, under, mountains[under].filter((other) => other !== chosen).indexOf(bar) + 1);
}

function put(number) {
  if (chosen !== null) return move(chosen, number);
  report(phrase("first"));
  return said(phrase("first"));
}

/** A number below `n`, drawn by the browser. */
const below = (n) => Math.floor((crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32) * n);

function shuffled(list) {
  const mixed = [...list];
  for (let i = mixed.length - 1; i > 0; i -= 1) {
    const other = below(i + 1);
    [mixed[i], mixed[other]] = [mixed[other], mixed[i]];
  }
  return mixed;
}

const spelled = (build) => build.map((mountain) => mountain.map(size).join("")).join(" ");

function mix() {
  let next;
  do {
    const all = shuffled(bars.keys());
    // One bar each, then the rest at random: none is empty, and none towers above the others.
    next = all.slice(0, 4).map((bar) => [bar]);
    for (const bar of all.slice(4)) {
      const open = next.filter((mountain) => mountain.length < MOST);
      open[below(open.length)].push(bar);
    }
  } while (spelled(next) === spelled(mountains));
  step(next);
  chosen = null;
  show();
  said(phrase("full"));
}

function clear() {
  step([[], [], [], []]);
  chosen = null;
  show();
  said(missing());
}

const ACTIONS = { mix, clear, back };

/** What a key does with the bar that has the focus. */
function keyed(bar, name) {
  const at = home(bar);
  const lot = lots().findIndex((_, number) => letter(number).toLowerCase() === name.toLowerCase());
  const place = at < 0 ? -1 : mountains[at].indexOf(bar);
  if (lot >= 0) move(bar, lot);
  else if (name === "ArrowRight") move(bar, (at + 1) % 4);
  else if (name === "ArrowLeft") move(bar, at <= 0 ? 3 : at - 1);
  else if (name === "ArrowUp" && at >= 0) move(bar, at, place + 1);
  else if (name === "ArrowDown" && at >= 0) move(bar, at, Math.max(place - 1, 0));
  else if (name === "Delete" || name === "Backspace") move(bar, -1);
  else return false;
  return true;
}

// Dragging

/** The mountain and the place in it that are under a pointer; [-1] off all of them, null elsewhere. */
function under({ clientX, clientY }) {
  const element = document.elementFromPoint(clientX, clientY);
  if (element?.closest(".gh-tray")) return [-1];
  const lot = element?.closest(".gh-lot");
  if (!lot) return null;
  const number = lots().indexOf(lot);
  const lower = mountains[number].filter((bar) => {
    const { top, height: tall } = bars[bar].getBoundingClientRect();
    return bar !== grip.bar && top + tall / 2 > clientY;
  });
  return [number, lower.length];
}

function drag(event) {
  const [x, y] = [event.clientX - grip.x, event.clientY - grip.y];
  if (!grip.moved && Math.hypot(x, y) < MOVED) return;
  const piece = bars[grip.bar];
  grip.moved = true;
  piece.classList.add("dragged");
  piece.style.transform = `translate(${x}px, ${y}px)`;
  const [number, place] = under(event) ?? [-1];
  lots().forEach((lot, at) => lot.classList.toggle("over", at === number));
  for (const bar of bars) bar.classList.remove("above", "below");
  const others = number < 0 ? [] : mountains[number].filter((bar) => bar !== grip.bar);
  if (place > 0) bars[others[place - 1]].classList.add("below");
  else if (others.length) bars[others[0]].classList.add("above");
}

function drop(event) {
  const { bar, moved } = grip;
  const spot = moved && event.type === "pointerup" ? under(event) : null;
  const piece = bars[bar];
  // The click that follows belongs to the drag.
  if (moved) setTimeout(() => { grip = null; });
  else grip = null;
  for (const lot of lots()) lot.classList.remove("over");
  for (const one of bars) one.classList.remove("above", "below");
  const from = piece.getBoundingClientRect();
  piece.classList.remove("dragged");
  piece.style.transform = "";
  if (spot) move(bar, ...spot);
  else if (moved) slide(piece, from);
}

document.addEventListener("pointerdown", (event) => {
  const piece = event.target.closest?.(".gh-piece");
  grip = piece && event.button === 0 ? { bar: bars.indexOf(piece), x: event.clientX, y: event.clientY, moved: false } : null;
});
document.addEventListener("pointermove", (event) => {
  if (grip && event.buttons && site()) drag(event);
});
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, (event) => { if (grip && site()) drop(event); });
}
document.addEventListener("click", ({ target }) => {
  if (!site() || grip?.moved) return;
  const piece = target.closest(".gh-piece");
  const lot = target.closest(".gh-lot");
  const action = ACTIONS[target.closest("[data-do]")?.dataset.do];
  if (action) action();
  else if (piece) press(bars.indexOf(piece));
  else if (lot) put(lots().indexOf(lot));
  else if (target.closest(".gh-tray") && chosen !== null) move(chosen, -1);
});
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && site()) {
    event.preventDefault();
    back();
    return;
  }
  const piece = event.target.closest?.(".gh-piece");
  if (!piece || event.ctrlKey || event.metaKey || event.altKey) return;
  if (keyed(bars.indexOf(piece), event.key)) event.preventDefault();
});

/** Goes on building, on a page that was drawn anew or after a build was taken back. */
export function resume() {
  if (!site() || !document.getElementById("ready")) return;
  const fresh = [...site().querySelectorAll(".gh-piece")];
  if (!bars[0]?.isConnected) {
    bars = fresh;
    mountains = recalled() ?? (builder === key() ? mountains : [[], [], [], []]);
    builder = key();
    past = [];
  }
  for (const button of document.querySelectorAll("[data-do]")) button.hidden = false;
  chosen = null;
  show();
}
