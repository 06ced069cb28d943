// The page of a room: sends its forms over the socket and shows what comes back.
// Everything here also works without it, as plain forms.

import { end, ended, hush, say, sayLater, words } from "./bubble.js";
import { attend, dressSwitches, inSight } from "./attention.js";
import { cover, inHands, isOthers } from "./handing.js";
import { announce, lookForNews } from "./house.js";
import { catchUp, heard, setUpChat } from "./chat.js";
import { claim, claiming } from "./claim.js";
import "./away.js";
import "./back.js";
import { compare, kept, promised } from "./promise.js";
import "./posting.js";
import { remember, swapIn } from "./regions.js";
import { answered as pressed, restUnderThePress, typing } from "./twice.js";
import { Wire } from "./wire.js";
import { heardNow, showLeft } from "./clock.js";
import { copyLink, shareLink } from "./sharing.js";
import { lookElsewhere } from "./waiting.js";

const NARROW = matchMedia("(max-width: 63.99rem)");
const SHUT_OUT = new Set([4001, 4003, 403]); // who looks at the page may not see what is on it any more
const OVERTAKEN = new Set(["stale", "not_asked", "game_over"]); // the form itself goes away then
let main = document.getElementById("main");
const code = main.dataset.room;
let wire = null;
let queue = Promise.resolve();
let revealed = false;
let leaving = false;

const newId = () => Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(36)).join("-");
const seated = () => document.querySelector("[data-leave], [data-mine]") !== null;

// Looking like the state

function dress() {
  showLeft();
  const mine = document.querySelector('[data-region="prompt"] form') !== null;
  document.title = mine ? `● ${main.dataset.titleTurn} · ${main.dataset.title}` : main.dataset.title;
  const icon = document.getElementById("icon");
  icon.dataset.calm ??= icon.getAttribute("href");
  const wanted = mine ? icon.dataset.turn : icon.dataset.calm;
  if (icon.getAttribute("href") !== wanted) icon.href = wanted;
  compare(main);
  claim();
  if (!mine) lookElsewhere();
}

function setUp() {
  main = document.getElementById("main");
  remember();
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  for (const button of document.querySelectorAll("[data-share]")) {
    button.hidden = !button.dataset.share && !navigator.share;
  }
  for (const note of document.querySelectorAll("[data-unshared]")) {
    note.hidden = Boolean(navigator.share) || isSecureContext;
  }
  openLog();
  dressSwitches();
  setUpChat((message) => wire?.send(message));
  dress();
  reveal();
  promiseLate();
}

/** The log lies open where it has a place of its own; elsewhere it is a drawer. */
function openLog() {
  const log = document.getElementById("story");
  if (log) log.open = !NARROW.matches;
}

// The shuffle

function reveal() {
  const own = kept(code);
  if (revealed || main.dataset.layout !== "starting" || !own || !wire) return;
  revealed = true;
  wire.send({ t: "reveal", r: own.r });
}

/** The host sat down by opening the table, before this page could promise anything. */
async function promiseLate() {
  const { layout, promised: given, commitment } = main.dataset;
  if (layout !== "lobby" || given !== "no") return;
  const hash = promised(code, commitment);
  if (!hash) return;
  main.dataset.promised = "yes";
  const body = new URLSearchParams({ hash });
  await fetch(`/r/${code}/sit`, { method: "POST", body, redirect: "manual" }).catch(() => {
    main.dataset.promised = "no"; // said again when the line is back
  });
}

// What comes

function receive(message) {
  heardNow(message.now);
  if (message.t === "state") {
    queue = queue.then(() => show(message)).catch((error) => console.error(error));
  } else if (message.t === "refused") {
    queue = queue.then(() => refused(message));
  } else if (message.t === "announced") {
    announce(message);
  } else if (message.t === "beat" && (message.v > wire.v || message.r > wire.r)) {
    wire.send({ t: "sync" });
  } else {
    if (message.t === "said") answered(message.id);
    heard(message);
  }
}

async function show({ v, r, ack, d }) {
  wire.r = r;
  const build = d.regions?.build?.trim();
  if (build && build !== main.dataset.build) {
    // Regions of another version may need what this page does not have.
    wire.stop();
    end(words.reload);
  }
  if (ended()) return;
  if (d.layout && (d.layout !== main.dataset.layout || isOthers(main, d.seat))) {
    const own = kept(code);
    if (d.layout === "starting" && own && !revealed) {
      revealed = true;
      wire.send({ t: "reveal", r: own.r });
    }
    if (isOthers(main, d.seat)) cover(main);
    await changePage(d.seat);
  }
  const had = seated();
  const alone = !document.querySelector("a[data-next]");
  const on = !document.querySelector(".result");
  await swapIn(d.regions ?? {});
  // The end is not to be covered by the menu in which somebody gave up.
  const sheet = on && document.querySelector(".result");
  if (sheet) {
    for (const menu of drawers()) menu.open = false;
    const held = document.activeElement;
    if (!held.checkVisibility() || held.closest("details.menu")) sheet.focus({ preventScroll: true });
  }
  restUnderThePress();
  if (ack) answered(ack);
  const next = document.querySelector("a[data-next]");
  if (next && alone && !leaving) location.assign(next.href);
  if (had && !seated() && !leaving && on) say(main.dataset.layout === "lobby" ? words.removed : words.taken, 12);
  dress();
  attend(v, Boolean(ack));
}

/** The room has become another page: fetch it and keep the socket. */
async function changePage(seat) {
  const page = await fetch(`/r/${code}`, { cache: "no-store", headers: inHands(seat) });
  const next = new DOMParser().parseFromString(await page.text(), "text/html");
  if (ended()) return undefined; // nothing may come onto a page that was taken from its reader
  const fresh = next.getElementById("main");
  if (fresh?.dataset.room !== code) return location.reload();
  const sheets = [...next.querySelectorAll('link[rel="stylesheet"]')].filter(
    (link) => !document.querySelector(`link[href="${link.getAttribute("href")}"]`),
  );
  await Promise.race([
    Promise.all(sheets.map((link) => new Promise((done) => {
      link.onload = link.onerror = done;
      document.head.append(link);
    }))),
    new Promise((done) => { setTimeout(done, 1500); }),
  ]);
  document.querySelector("header").replaceWith(next.querySelector("header"));
  main.replaceWith(fresh);
  const foot = document.querySelector("footer");
  if (foot && !next.querySelector("footer")) foot.remove();
  setUp();
  if (document.activeElement === document.body) {
    const place = main.querySelector('[tabindex="-1"]') ?? main;
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }
  return undefined;
}

function answered(id) {
  wire.answered(id);
  for (const form of document.querySelectorAll(`form[data-sent="${id}"]`)) free(form);
}

function refused({ id, code: why, message }) {
  if (!id || !wire.answered(id)) return;
  const form = document.querySelector(`form[data-sent="${id}"]`);
  if (form) free(form);
  const place = form?.querySelector(".refused");
  if (place && !OVERTAKEN.has(why)) place.textContent = message;
  else say(message, 8);
}

// What goes

function busy(form, id) {
  form.dataset.sent = id;
  form.setAttribute("aria-busy", "true");
  const place = form.querySelector(".refused");
  if (place) place.textContent = "";
}

function free(form) {
  delete form.dataset.sent;
  form.removeAttribute("aria-busy");
}

/** Milliseconds within which a second press of a plain form is the same press. */
const TWICE = 2000;

function submit(event) {
  const form = event.target;
  const { send } = form.dataset;
  if ("promise" in form.dataset) form.elements.hash.value = promised(code, main.dataset.commitment);
  if ("leave" in form.dataset || "next" in form.dataset) leaving = true;
  if (!send) {
    // Pressed twice, a form that gives a name would make two players, each on a seat.
    if (Date.now() - Number(form.dataset.at ?? 0) < TWICE) event.preventDefault();
    else form.dataset.at = Date.now();
    return;
  }
  event.preventDefault();
  if (form.dataset.sent || ended()) return;
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  const { submitter } = event;
  if (submitter?.name) fields.push([submitter.name, submitter.value]);
  const id = newId();
  const value = (wanted) => fields.find(([name]) => name === wanted)?.[1];
  pressed();
  if (send === "seat") {
    if (!value("seat")) cover(main);
    return wire.send({ t: "seat", seat: value("seat") ? Number(value("seat")) : null });
  }
  busy(form, id);
  // What was chosen in the menu shows on the table.
  const menu = form.closest("details.menu");
  if (menu) close(menu);
  const { seat } = main.dataset;
  const whose = seat ? { seat: Number(seat) } : {};
  if (send === "do") wire.send({ t: "do", id, what: value("what"), of: value("of") && Number(value("of")), ...whose });
  else {
    const own = fields.filter(([name]) => !["prompt", "id", "seat"].includes(name));
    wire.send({ t: "form", id, prompt: Number(value("prompt")), fields: own, ...whose });
  }
  return undefined;
}

async function click(event) {
  const copy = event.target.closest("[data-copy]");
  const share = event.target.closest("[data-share]");
  if (copy || share) {
    const input = document.getElementById("link");
    const url = share?.dataset.share || input.value;
    const done = share ? await shareLink(url, main.dataset.title, input) : await copyLink(url, input);
    if (done) say(words[done] || url, 4);
  }
  const shut = event.target.closest("[data-shut]");
  for (const menu of drawers()) {
    if (menu.contains(shut)) close(menu);
    else if (!menu.contains(event.target)) menu.open = false;
  }
  if (event.target.closest('a[href="#story"]')) {
    document.getElementById("story").open = true;
    event.target.closest("details.menu")?.removeAttribute("open");
  }
}

/** What lies open over the table: menus, and what a game marks with `data-drawer`. */
function drawers() {
  return document.querySelectorAll(`details:is(.menu, [data-drawer])[open]${NARROW.matches ? ", .log[open], .side .chat[open]" : ""}`);
}

function close(drawer) {
  drawer.open = false;
  drawer.querySelector("summary").focus();
}

function press(event) {
  if (event.key === "Escape") {
    for (const menu of drawers()) close(menu);
  }
  const undo = main.querySelector(".undo button");
  if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && undo?.checkVisibility() && !typing(event.target)) {
    event.preventDefault();
    undo.form.requestSubmit(undo);
  }
  // Enter on a choice goes on to its buttons; it would else press the first button of the form.
  if (event.key === "Enter" && event.target.matches('input[type="radio"]') && event.target.form?.dataset.send) {
    event.preventDefault();
    const next = document.querySelectorAll('[data-region="prompt"] button:enabled');
    [...next].find((button) => button.checkVisibility({ visibilityProperty: true }))?.focus();
  }
}

function connection(state) {
  if (state === "online") {
    hush();
    catchUp();
    promiseLate();
    lookForNews();
  } else sayLater(words.offline, 1200);
  document.documentElement.dataset.wire = state;
  inSight(wire);
}

function gone(reason) {
  end(words[`gone-${reason}`] ?? words.gone);
  document.documentElement.dataset.wire = "gone";
  if (!SHUT_OUT.has(reason)) return;
  for (const region of document.querySelectorAll("header [data-region]")) region.remove();
  cover(main);
  dress();
}

// A refused form leaves its own address behind; a reload should get the room.
if (location.pathname !== `/r/${code}`) history.replaceState(null, "", `/r/${code}`);
document.addEventListener("submit", submit);
document.addEventListener("click", click);
document.addEventListener("keydown", press);
NARROW.addEventListener("change", openLog);
setUp();
wire = new Wire(code, Number(main.dataset.v), { message: receive, state: connection, gone });
wire.r = Number(main.dataset.r);
if (claiming() && !claim() && !seated()) say(words.unclaimed, 12);
reveal();
