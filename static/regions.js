// Swapping the regions that came: focus stays, and public pieces travel from where they were.

import { fields, keepDrawers, placeInDrawer, sameInDrawer } from "./drawers.js";

/** The regions of the page: what they showed when they came, and where they are. */
const page = { known: new Map(), find: (name) => document.getElementById(`r-${name}`) };
const typed = new Map();
let transition = null;

const still = () =>
  document.hidden || !document.startViewTransition || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Takes note of the regions as the server drew them, before anybody touched them. */
export function remember() {
  page.known.clear();
  for (const region of document.querySelectorAll("[data-region]")) {
    page.known.set(region.dataset.region, region.innerHTML);
  }
}

/** Drops all that is known of the page, and what was typed on it. */
export function forget() {
  transition?.skipTransition();
  page.known.clear();
  typed.clear();
}

/** Swaps the regions whose HTML differs, of the page or another stage. Resolves when it is shown. */
export function swapIn(regions, { known, find } = page) {
  const changes = [];
  for (const [name, html] of Object.entries(regions)) {
    const region = find(name);
    const template = document.createElement("template");
    template.innerHTML = html;
    const normal = template.innerHTML;
    const said = known.get(name);
    if (!region || said === normal) continue;
    known.set(name, normal);
    changes.push({ name, region, content: template.content, said });
  }
  if (!changes.length) return undefined;
  transition?.skipTransition();
  const travels = still() ? [] : travelling(changes);
  if (!travels.length) return swap(changes);
  travels.forEach(({ from }, i) => { from.style.viewTransitionName = `piece-${i}`; });
  const own = document.startViewTransition(() => {
    swap(changes);
    travels.forEach(({ to }, i) => { to.style.viewTransitionName = `piece-${i}`; });
  });
  transition = own;
  own.ready.catch(() => {});
  own.finished.catch(() => {}).then(() => {
    for (const { from, to } of travels) from.style.viewTransitionName = to.style.viewTransitionName = "";
  });
  return own.updateCallbackDone;
}

function swap(changes) {
  const held = focused(changes);
  for (const { name, region, content, said } of changes) {
    // What is typed outlives its field: a table that was full for a moment asks for the name again.
    for (const field of fields(region)) typed.set(`${name} ${field.name}`, field.value);
    const kept = [...region.querySelectorAll("[data-keep]:checked")].map((one) => one.value);
    keepDrawers(region, content, said);
    region.replaceChildren(content);
    // Where nothing of it is left, what the server has chosen stays: a last mountain chooses itself.
    for (const one of region.querySelectorAll("[data-keep]")) if (kept.includes(one.value)) one.checked = true;
    for (const field of fields(region)) field.value = typed.get(`${name} ${field.name}`) ?? field.value;
  }
  if (held) focusAgain(held);
  // What had the focus may be out of sight now, with the bar of a game that is over.
  if (!document.activeElement.checkVisibility()) document.querySelector(".result")?.focus({ preventScroll: true });
}

/**
 * Returns the pieces that change their place; a name that stands twice is left alone. What has no
 * name of its own, as a token among others, may say with `data-from` out of which piece it came.
 */
function travelling(changes) {
  const before = placed(changes.map(({ name, region }) => [name, region, region]));
  const after = placed(changes.map(({ name, region, content }) => [name, region, content]));
  const came = changes.flatMap(({ region, content }) => sources(content, region, before));
  const deck = document.querySelector('[data-place="deck"] .c');
  const travels = [];
  for (const [piece, [to, ...more]] of after) {
    const [from, ...others] = before.get(piece) ?? [];
    if (more.length || others.length) continue;
    if (from ? from.place !== to.place : to.name === "prompt" && deck) {
      travels.push({ from: from?.element ?? deck, to: to.element });
    }
  }
  const drawn = travels.filter(({ from }) => from === deck);
  return [...came, ...(drawn.length > 1 ? travels.filter(({ from }) => from !== deck) : travels)];
}

/** Returns where the pieces of a region came from that say so now and did not before. */
function sources(content, region, before) {
  const told = (element) => `${element.dataset.piece} ${element.dataset.from}`;
  const old = new Set([...region.querySelectorAll("[data-from]")].map(told));
  return [...content.querySelectorAll("[data-from]")]
    .filter((to) => !old.has(told(to)) && before.has(to.dataset.from))
    .map((to) => ({ from: before.get(to.dataset.from)[0].element, to }));
}

function placed(roots) {
  const pieces = new Map();
  for (const [name, region, root] of roots) {
    const around = region.closest("[data-place]")?.dataset.place ?? name;
    for (const element of root.querySelectorAll("[data-piece]")) {
      const place = element.closest("[data-place]")?.dataset.place ?? around;
      const piece = element.dataset.piece;
      pieces.set(piece, [...(pieces.get(piece) ?? []), { element, place, name }]);
    }
  }
  return pieces;
}

function focused(changes) {
  const element = document.activeElement;
  const change = changes.find(({ region }) => region.contains(element));
  if (!change) return undefined;
  const { id, name, value, selectionStart, selectionEnd } = element;
  const drawer = placeInDrawer(change.region, element);
  return { region: change.region, id, name, value, drawer, selection: [selectionStart, selectionEnd] };
}

function focusAgain({ region, id, name, value, drawer, selection }) {
  const same = [...region.querySelectorAll("input, select, button")].find(
    (one) => (id ? one.id === id : name && one.name === name && one.value === value),
  );
  const opened = drawer && !same?.checkVisibility() ? sameInDrawer(region, drawer) : null;
  // A button that went away with what it did leads back to the question.
  const asked = region.childElementCount ? null : document.querySelector('[data-region="prompt"] [tabindex="-1"]');
  const next = opened ?? same ?? region.querySelector('[tabindex="-1"]') ?? asked ?? region;
  if (next === region) region.tabIndex = -1;
  next.focus({ preventScroll: true });
  if (next === same && Number.isInteger(selection[0])) same.setSelectionRange(...selection);
  // At the end the bar goes away: the score sheet takes over.
  if (document.activeElement === document.body) {
    document.querySelector('main [tabindex="-1"]:not(:empty)')?.focus({ preventScroll: true });
  }
}
