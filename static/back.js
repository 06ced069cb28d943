// Looking back: the steps of the game come at once and are shown in place of the table, which goes
// on behind them. On the page of a step it does the same there; without a script that has links.

import { SINCE, seqOf } from "./away.js";
import { Past, own } from "./past.js";
import { typing } from "./twice.js";

const WAYS = { ArrowLeft: "before", ArrowRight: "after", Home: "first", End: "last", Escape: "now" };
const NARROW = matchMedia("(max-width: 63.99rem)");
const writing = (target) => typing(target) && !target.matches(".scrub");
let past = null;
let opening = false;

/** Makes a board like the one of the page, without anything to press. */
function copyOf(felt, template) {
  const copy = felt.cloneNode(true);
  for (const part of copy.querySelectorAll("form, .bar, .note")) part.remove();
  copy.append(template.content.cloneNode(true));
  for (const region of copy.querySelectorAll("[data-region]")) {
    region.removeAttribute("aria-live");
    region.replaceChildren();
  }
  for (const element of copy.querySelectorAll("[id]")) element.removeAttribute("id");
  copy.classList.add("bygone");
  return copy;
}

/** Shows the step of an entry in place of the table; without a number the newest one. */
async function open(seq) {
  if (past && !past.stage.isConnected) past = null; // its page was covered, or is another one
  if (past) return past.show(seq === undefined ? past.drawn.length - 1 : past.index(seq));
  const main = document.getElementById("main");
  const felt = main.querySelector(".felt");
  const template = document.getElementById("steps");
  if (!felt || !template || opening) return undefined;
  if (main.dataset.layout === "curtain") { // there is no board here
    return location.assign(`/r/${main.dataset.room}/back${seq === undefined ? "" : `?at=${seq}`}`);
  }
  const copy = copyOf(felt, template);
  const before = document.activeElement;
  const watcher = new MutationObserver(() => past?.data && past.news());
  const looking = new Past(copy, () => {
    watcher.disconnect();
    copy.remove();
    past = null;
    if (!felt.isConnected) return;
    felt.hidden = false;
    document.documentElement.removeAttribute("data-past");
    (before?.checkVisibility?.() && before !== document.body ? before : felt.querySelector(".say[tabindex]"))?.focus({ preventScroll: true });
  });
  opening = true;
  try {
    await looking.fetch();
  } catch {
    const { say } = await import("./bubble.js"); // which the page of a step does not have
    return say(looking.bar.dataset.failed, 6);
  } finally {
    opening = false;
  }
  if (!felt.isConnected || !looking.drawn.length) return undefined;
  for (const region of copy.querySelectorAll("[data-region]")) {
    if (!(region.dataset.region in looking.drawn[0])) region.remove();
  }
  past = looking;
  felt.after(copy);
  felt.hidden = true;
  document.documentElement.dataset.past = "";
  past.show(seq === undefined ? past.drawn.length - 1 : past.index(seq));
  looking.part(".say").tabIndex = -1;
  looking.part(".say").focus({ preventScroll: true });
  for (const watched of [felt, document.getElementById("r-log")]) {
    if (watched) watcher.observe(watched, { childList: true, subtree: true });
  }
  return undefined;
}

/** While something old is shown, keys and presses on it mean nothing to the scripts of the table. */
function shield(event) {
  if (!past || own || !past.stage.isConnected) return;
  const key = event.type.startsWith("key");
  if (key ? writing(event.target) || document.querySelector("details.menu[open]") : !past.stage.contains(event.target)) return;
  if (!key && event.target.closest(".steps, details")) return;
  event.stopImmediatePropagation();
  if (event.type === "keydown") press(event);
}

function press(event) {
  const way = WAYS[event.key];
  const { target } = event;
  if (!way || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
  if (writing(target) || target.matches("select, input:not(.scrub)")) return;
  if (past?.stage.isConnected) {
    if (target.matches(".scrub") && way !== "now") return;
    event.preventDefault();
    past.go(way);
  } else if (event.key === "ArrowLeft" && target.matches("body, main, [tabindex='-1']") && !document.querySelector(".curtain")) {
    event.preventDefault();
    open().then(() => past?.go("before"));
  }
}

for (const kind of ["keydown", "keyup", "click", "change", "pointerdown", "pointermove", "pointerup"]) {
  document.addEventListener(kind, shield, true);
}
document.addEventListener("keydown", press);
document.addEventListener("click", (event) => {
  const { target } = event;
  const link = target.closest(`a[data-back], ${SINCE}`);
  const line = target.closest("#r-log li");
  const shut = own && target.closest("[data-shut]");
  if (shut) shut.closest("details").open = false;
  if (own || event.ctrlKey || event.metaKey || event.shiftKey || !(link || (line && getSelection().isCollapsed))) return;
  event.preventDefault();
  link?.closest("details.menu")?.removeAttribute("open");
  if (NARROW.matches) document.getElementById("story").open = false;
  const at = link ? new URL(link.href).searchParams.get("at") : seqOf(line);
  open(at === null ? undefined : Number(at));
});
if (own) past = new Past(document.querySelector(".felt.bygone"), () => {
  location.assign(document.querySelector('[data-go="now"]').href);
});
