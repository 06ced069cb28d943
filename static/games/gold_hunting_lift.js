// The lifting of a bar: what was announced, the bar rising with its back to us, turning over, and
// going where it belongs. All is decided and shown already; this only plays on top of it.

const SVG = "http://www.w3.org/2000/svg";
let seen = null;
let stage = null;

const quiet = () => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

function drawing(symbol, width, tall) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "gh-flying");
  svg.setAttribute("width", width);
  svg.setAttribute("height", tall);
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", symbol);
  svg.append(use);
  return svg;
}

function centre(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

/** Puts something on the stage, its middle at a point. */
function enter(thing, [x, y]) {
  stage.append(thing);
  const { width, height } = thing.getBoundingClientRect();
  thing.style.left = `${x - width / 2}px`;
  thing.style.top = `${y - height / 2}px`;
  return thing;
}

const bar = (size, at) => enter(drawing(`#gh-${size}`, 28 + 16 * size, 44), at);
const played = (thing, frames, duration, easing = "ease-out") =>
  thing.animate(frames, { duration, easing, fill: "both" }).finished;

/** From where it stands to the middle of an element, getting smaller. */
function fly(thing, from, to, { turn = 0, delay = 0 } = {}) {
  const [x, y] = centre(to);
  const frames = [
    { transform: "none", opacity: 1 },
    { transform: `translate(${x - from[0]}px, ${y - from[1]}px) rotate(${turn}deg) scale(.5)`, opacity: 0.9 },
  ];
  return thing.animate(frames, { duration: 280, delay, easing: "ease-in", fill: "both" }).finished;
}

/** What shows the outcome keeps it to itself until the bar has turned over. */
function veil(elements) {
  const veils = elements.filter(Boolean).map((element) => element.animate([{ opacity: 0 }, { opacity: 0 }], { duration: 4000 }));
  return () => veils.forEach((one) => one.cancel());
}

async function play(last) {
  const [seat, mountain, announced, lifted, right] = last.dataset.lift.split(" ").map(Number);
  const lost = last.dataset.lost.split(" ").filter(Boolean);
  const hill = document.querySelector(`[data-mountain="${1 - seat}${mountain}"]`);
  const pile = document.querySelector(`[data-pile="${seat}"]`);
  const box = document.querySelector("[data-box] svg");
  if (!hill || !pile || !box) return;
  const own = stage = document.createElement("div");
  stage.className = "gh-stage";
  stage.setAttribute("aria-hidden", "true");
  document.body.append(stage);
  const unveil = veil([
    ...[last.querySelector(".gh-fact"), pile, box.parentElement, hill.querySelector(".gh-height")],
    ...[document.querySelector(`#who${seat} .points`), hill.closest(".gh-land").querySelector(".gh-unseen")],
    document.querySelector("#r-log li"),
  ]);
  const { left, top, width } = hill.getBoundingClientRect();
  const peak = [left + width / 2, Math.max(top - 4, 104)];
  try {
    const call = document.createElement("span");
    call.className = "gh-bubble";
    call.textContent = announced;
    enter(call, [peak[0], peak[1] - 48]);
    const back = enter(drawing("#gh-back", 60, 44), peak);
    await Promise.all([
      played(call, [{ opacity: 0, transform: "scale(.4)" }, { opacity: 1, transform: "none" }], 200),
      played(back, [{ opacity: 0, transform: "translateY(60px)" }, { opacity: 1, transform: "none" }], 300),
    ]);
    await played(back, [{ transform: "none" }, { transform: "scaleX(0)" }], 170, "ease-in");
    const face = bar(lifted, peak);
    back.remove();
    call.classList.add(right ? "right" : "wrong");
    call.append(drawing(right ? "#tick" : "#cross", 18, 18));
    await played(face, [{ transform: "scaleX(0)" }, { transform: "none" }], 200);
    await played(face, [{ transform: "none" }, { transform: right ? "translateY(-8px)" : "rotate(6deg)" }, { transform: "none" }], 220);
    if (own !== stage) return;
    const away = played(call, [{ opacity: 1 }, { opacity: 0 }], 200);
    const tipped = lost.map((size, i) => {
      const at = centre(pile);
      return fly(bar(size, at), at, box, { turn: 120, delay: 40 * i });
    });
    await Promise.all([away, ...tipped, fly(face, peak, right || lost.length ? pile : box)]);
  } catch {
    // The next lift has begun, or the page is another one.
  } finally {
    unveil();
    own.remove();
  }
}

/** Plays a lift that has come since the page was last looked at. */
export function watchLifts() {
  const last = document.querySelector("[data-lift]");
  const number = Number(last?.dataset.number ?? 0);
  const news = seen !== null && number > seen;
  seen = number;
  if (!news) return;
  stage?.remove();
  stage = null;
  if (!quiet()) play(last);
}
