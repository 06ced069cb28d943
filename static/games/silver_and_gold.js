// Choosing a place in Silver & Gold: the pattern goes where it is pointed to, but only to places
// that the server listed as legal. Everything also works without this script, from the list.

const SVG = "http://www.w3.org/2000/svg";
const SQUARE = 44;
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const KEYS = { r: "turn", f: "mirror", n: "next", p: "back", s: "one" };

let list = []; // the legal places of the open question, in its order
let chosen = null;
let pointed = null;
let grip = null; // a pattern that is being dragged

const form = () => document.getElementById("place")?.form;
const section = (number) => document.querySelector(`#own [data-map="${number}"]`);
const covers = (place, [row, column]) => place.cells.some(([r, c]) => r === row && c === column);

function normal(cells) {
  const top = Math.min(...cells.map(([r]) => r));
  const left = Math.min(...cells.map(([, c]) => c));
  return cells.map(([r, c]) => [r - top, c - left]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

const shape = (cells) => normal(cells).join(" ");
const turned = (cells) => cells.map(([r, c]) => [c, -r]);
const mirrored = (cells) => cells.map(([r, c]) => [r, -c]);

function middle(cells) {
  const sum = cells.reduce(([y, x], [r, c]) => [y + r, x + c], [0, 0]);
  return sum.map((n) => n / cells.length + 0.5);
}

const far = ([y, x], [v, u]) => Math.hypot(y - v, x - u);

function nearest(places, point) {
  return places.reduce(
    (best, place) => (!best || far(place.middle, point) < far(best.middle, point) ? place : best),
    null,
  );
}

function read() {
  const select = document.getElementById("place");
  list = [...(select?.options ?? [])].map((option) => {
    const [map, ...cells] = option.value.split(" ");
    const read = cells.map((cell) => [Number(cell[0]), Number(cell[1])]);
    const whole = "whole" in option.parentElement.dataset;
    return { option, map, cells: read, whole, shape: shape(read), middle: middle(read) };
  });
  chosen = list.find(({ option }) => option.selected) ?? null;
  pointed = grip = null;
}

/** The places of a map of the kind that is being chosen; of the other kind if there are none. */
function open(map, whole = chosen.whole) {
  const here = list.filter((place) => place.map === map);
  const kind = here.filter((place) => place.whole === whole);
  return kind.length ? kind : here;
}

/** The legal place that is meant by a point of a map, if possible in the present turn. */
function meant(map, point) {
  const cell = point.map(Math.floor);
  const places = open(map);
  const alike = places.filter((place) => place.shape === chosen.shape);
  const over = (some) => some.filter((place) => covers(place, cell));
  const found = [over(alike), over(places), alike, places].find((some) => some.length);
  return found ? nearest(found, point) : null;
}

// What is shown

function tiles(place, name) {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", name);
  for (const [r, c] of place.cells) {
    const tile = document.createElementNS(SVG, "rect");
    for (const [key, value] of Object.entries({ x: c * SQUARE + 3, y: r * SQUARE + 3, width: 38, height: 38, rx: 5 })) {
      tile.setAttribute(key, value);
    }
    group.append(tile);
  }
  return group;
}

function draw() {
  for (const layer of document.querySelectorAll(".sg-chosen")) layer.replaceChildren();
  const elsewhere = pointed && pointed !== chosen;
  for (const [place, name] of [[chosen, elsewhere ? "sg-pick left" : "sg-pick"], [elsewhere ? pointed : null, "sg-ghost"]]) {
    if (place) section(place.map)?.querySelector(".sg-chosen").append(tiles(place, name));
  }
  const shown = elsewhere ? pointed : chosen;
  for (const map of document.querySelectorAll("#own [data-map]")) {
    map.classList.toggle("at", map.dataset.map === shown?.map);
  }
}

/** Says what the chosen place brings: the server has drawn it for each kind of place. */
function tell(remark = "", place = chosen) {
  const where = document.createElement("span");
  where.className = "vh";
  where.textContent = `${place.option.parentElement.label}, ${place.option.text.split(":")[0]}. `;
  const brings = form().querySelector(`template[data-brings="${place.option.dataset.brings}"]`);
  const rest = document.createElement("span");
  rest.className = "muted";
  rest.textContent = remark;
  document.getElementById("choice").replaceChildren(where, brings.content.cloneNode(true), rest);
}

function choose(place, remark) {
  chosen = place;
  pointed = null;
  place.option.selected = true;
  const press = (what) => form().querySelector(`[data-do="${what}"]`);
  press("one")?.setAttribute("aria-pressed", String(!place.whole));
  if (press("one")) press("one").disabled = !list.some(({ whole }) => whole);
  for (const what of ["turn", "mirror"]) if (press(what)) press(what).disabled = !place.whole;
  draw();
  return tell(remark);
}

// What can be done

/** The nearest place on this map, else on the other one, in the first of these forms that fits. */
function fitting(forms) {
  for (const there of [true, false]) {
    for (const cells of forms) {
      const wanted = shape(cells);
      const places = list.filter((one) => one.shape === wanted && (one.map === chosen.map) === there);
      if (wanted !== chosen.shape && places.length) return nearest(places, chosen.middle);
    }
  }
  return null;
}

function turns(cells) {
  const once = turned(cells);
  const twice = turned(once);
  return [once, twice, turned(twice)];
}

/** Takes the first form that fits, or says why nothing changes. */
function reshape(forms, otherwise) {
  const place = fitting(forms);
  choose(place ?? chosen, place ? "" : document.getElementById("choice").dataset[otherwise]);
}

const ACTIONS = {
  turn: () => reshape(turns(chosen.cells), "noturn"),
  mirror() {
    const other = mirrored(chosen.cells);
    reshape(shape(other) === chosen.shape ? [] : [other, ...turns(other)], "nomirror");
  },
  next: () => step(1),
  back: () => step(-1),
  one() {
    const kind = (place) => place.whole !== chosen.whole;
    const here = list.filter((place) => kind(place) && place.map === chosen.map);
    choose(nearest(here.length ? here : list.filter(kind), chosen.middle));
  },
};

function step(by) {
  const places = list.filter((place) => place.whole === chosen.whole);
  choose(places[(places.indexOf(chosen) + by + places.length) % places.length]);
}

/** One step with an arrow key: on this map, else to the map that lies that way. */
function move([down, right]) {
  const ahead = ([y, x]) => (y - chosen.middle[0]) * down + (x - chosen.middle[1]) * right;
  const aside = ([y, x]) => Math.abs((y - chosen.middle[0]) * right) + Math.abs((x - chosen.middle[1]) * down);
  const cost = (place) => ahead(place.middle) + 2 * aside(place.middle) + (place.shape === chosen.shape ? 0 : 3);
  const on = open(chosen.map).filter((place) => ahead(place.middle) > 0.2 && aside(place.middle) < 2);
  if (on.length) return choose(on.reduce((best, place) => (cost(place) < cost(best) ? place : best)));
  const maps = [...document.querySelectorAll("#own [data-map]")].map((map) => map.dataset.map);
  const other = maps[maps.indexOf(chosen.map) + right];
  return other && right ? choose(nearest(open(other), [chosen.middle[0], right > 0 ? 0 : 4])) : undefined;
}

/** Another place that covers the same square: a press on what is chosen turns it. */
function around(cell) {
  const places = open(chosen.map).filter((place) => covers(place, cell));
  return places[(places.indexOf(chosen) + 1) % places.length];
}

// Pointing

/** The map under a pointer and the point on it, in squares from its top left. */
function at({ clientX, clientY }) {
  const map = document.elementFromPoint(clientX, clientY)?.closest("#own [data-map]");
  const island = map?.querySelector(".island");
  if (!island || !chosen) return null;
  const { left, top, width } = island.getBoundingClientRect();
  const box = island.viewBox.baseVal;
  const scale = box.width / width / SQUARE;
  return { map: map.dataset.map, point: [(clientY - top) * scale, (clientX - left) * scale + box.x / SQUARE] };
}

document.addEventListener("pointerdown", (event) => {
  grip = null; // of a drag that ended where no click came
  if (!event.target.closest?.(".sg-pick")) return;
  const spot = at(event);
  if (!spot) return;
  grip = { off: spot.point.map((n, i) => n - chosen.middle[i]), from: spot.point, moved: false };
  event.target.releasePointerCapture?.(event.pointerId);
});

document.addEventListener("pointermove", (event) => {
  if (!chosen || (event.pointerType !== "mouse" && !grip)) return;
  const spot = at(event);
  if (grip && event.buttons) {
    if (!spot || (!grip.moved && far(spot.point, grip.from) < 0.35)) return;
    grip.moved = true;
    const place = nearest(
      open(spot.map).filter((one) => one.shape === chosen.shape),
      spot.point.map((n, i) => n - grip.off[i]),
    );
    if (place && place !== chosen) choose(place);
    return;
  }
  const now = spot ? meant(spot.map, spot.point) : null;
  if (now === pointed) return;
  pointed = now;
  draw();
  tell("", now ?? chosen);
});

/** A finger on the chosen pattern drags it; anywhere else it scrolls the page. */
function hold({ target }) {
  if (!target.closest(".sg-pick")) return;
  // On the target itself: it is drawn anew on the way, and its events do not bubble any more.
  target.addEventListener("touchmove", (move) => move.preventDefault(), { passive: false });
}

document.addEventListener("click", (event) => {
  const action = event.target.closest?.("[data-do]")?.dataset.do;
  if (action && chosen) return ACTIONS[action]();
  const dragged = grip?.moved;
  grip = null;
  const spot = dragged ? null : at(event);
  if (!spot) return undefined;
  const place = meant(spot.map, spot.point);
  return choose(place === chosen && chosen.whole ? around(spot.point.map(Math.floor)) ?? place : place);
});

document.addEventListener("keydown", (event) => {
  if (!chosen || event.ctrlKey || event.metaKey || event.altKey) return;
  const own = document.activeElement?.closest("#own");
  const free = document.activeElement === document.body || document.activeElement.matches("main, [tabindex='-1']");
  if (!own && !free && !document.activeElement.closest(".bar")) return;
  if (event.target.matches("input, select, textarea")) return;
  if (own && event.key === "Enter") form().requestSubmit();
  else if (ARROWS[event.key]) move(ARROWS[event.key]);
  else if (KEYS[event.key.toLowerCase()]) {
    const press = form().querySelector(`[data-do="${KEYS[event.key.toLowerCase()]}"]`);
    if (!press) return;
    if (!press.disabled) ACTIONS[press.dataset.do]();
  } else return;
  event.preventDefault();
});

// Maps to keep or to take

function countMaps(latest) {
  const button = document.querySelector('[data-region="prompt"] [data-needs]');
  if (!button) return;
  const needs = Number(button.dataset.needs);
  const boxes = [...document.querySelectorAll('.choice input[form]')];
  const ticked = boxes.filter((box) => box.checked);
  if (ticked.length > needs) ticked.find((box) => box !== latest).checked = false;
  button.disabled = ticked.length < needs;
}

document.addEventListener("change", ({ target }) => {
  if (target.closest(".choice")) countMaps(target);
});

// Another question, or maps that were drawn again

function asked() {
  const had = chosen?.option.isConnected ? chosen : null;
  if (!had) read();
  countMaps(null);
  const own = document.getElementById("own");
  if (own) own.toggleAttribute("data-asked", Boolean(chosen));
  if (own && chosen) own.tabIndex = 0;
  // The maps were drawn again under the keys that move on them.
  if (own?.tabIndex === 0 && document.activeElement === own.parentElement) own.focus({ preventScroll: true });
  if (!chosen) return draw();
  form().querySelector(".tools").hidden = false;
  return choose(chosen);
}

function watch() {
  for (const name of ["prompt", "maps"]) {
    const region = document.querySelector(`[data-region="${name}"]`);
    if (!region || region.dataset.watched) continue;
    region.dataset.watched = "";
    region.addEventListener("touchstart", hold, { passive: false });
    new MutationObserver(asked).observe(region, { childList: true });
    asked();
  }
}

document.documentElement.classList.add("lively");
new MutationObserver(watch).observe(document.body, { childList: true });
watch();
