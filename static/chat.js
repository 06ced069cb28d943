// The chat: shows what others say, sends what I say, counts what I have not read, and leaves out
// whom I do not want to read. What is said never touches the regions of the game.

import { ended } from "./bubble.js";
import { locale } from "./local.js";

const NARROW = matchMedia("(max-width: 63.99rem)");
const MOST = 200; // lines in the page
const ROOMS = 30; // rooms of which it is remembered how far I have read
const FLASH = 3500; // milliseconds
const HUSH = "motherlode.hush";
const READ = "motherlode.read";

let box = null;
let send = null; // how a message goes to the server
let draft = "";
const sent = new Map(); // texts on their way, by the id of their message

const newId = () => `c${Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(36)).join("-")}`;
const list = () => box.querySelector(".said");
const field = () => box.querySelector("#say-text");
const code = () => document.getElementById("main").dataset.room;

function stored(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still shows the chat.
  }
}

/** Takes hold of the chat of the page as it is now; `sender` takes what is to be sent. */
export function setUpChat(sender) {
  send = sender;
  box = document.getElementById("talk");
  if (!box) return;
  box.open = !NARROW.matches;
  for (const time of box.querySelectorAll("time")) clock(time);
  if (field() && draft) field().value = draft;
  setUpHush();
  toEnd();
  count();
}

/** Asks for what was said while there was no connection. */
export function catchUp() {
  const last = box && list().lastElementChild?.dataset.line;
  if (box) send({ t: "lines", after: last ?? null });
}

/** Takes a message of the server, if it is about the chat. */
export function heard(message) {
  if (!box) return;
  if (message.t === "chat") {
    if (add(message)) overhear(message);
  } else if (message.t === "lines") {
    message.lines.forEach(add);
  } else if (message.t === "said") {
    const text = sent.get(message.id);
    sent.delete(message.id);
    if (field() && text !== undefined && field().value.startsWith(text)) {
      field().value = draft = field().value.slice(text.length).trimStart();
    }
  } else return;
  count();
}

// Lines

function add(line) {
  if (box.querySelector(`[data-line="${CSS.escape(line.id)}"]`)) return false;
  const ol = list();
  const near = ol.scrollHeight - ol.scrollTop - ol.clientHeight < 60;
  const item = box.querySelector("#a-line").content.cloneNode(true).firstElementChild;
  item.dataset.line = line.id;
  item.dataset.who = line.who;
  item.querySelector("bdi").textContent = line.name;
  item.querySelector(".self").hidden = line.who !== box.dataset.own;
  item.querySelector(".tag").hidden = line.seat !== null;
  const time = item.querySelector("time");
  time.dateTime = line.at;
  clock(time);
  item.querySelector(".words").append(line.kind === "text" ? line.text : sign(line.text));
  item.hidden = hushed(line.who);
  // Later lines have later ids, in whatever order they come.
  const after = [...ol.children].findLast((other) => other.dataset.line < line.id);
  if (after) after.after(item);
  else ol.prepend(item);
  while (ol.childElementCount > MOST) ol.firstElementChild.remove();
  offerHush(line.who, line.name);
  if (near) toEnd();
  return !item.hidden;
}

function sign(what) {
  const known = box.querySelector("#a-reaction").content.querySelector(`[data-what="${CSS.escape(what)}"]`);
  return known ? known.firstElementChild.cloneNode(true) : "";
}

function clock(time) {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) return;
  const today = at.toDateString() === new Date().toDateString();
  const day = today ? {} : { day: "numeric", month: "short" };
  time.textContent = at.toLocaleString(locale(), { hour: "2-digit", minute: "2-digit", ...day });
}

function toEnd() {
  list().scrollTop = list().scrollHeight;
}

/** Says a new line to who listens, and shows a reaction for a moment where its maker sits. */
function overhear(line) {
  const words = line.kind === "text" ? line.text : sign(line.text).textContent;
  if (line.who !== box.dataset.own) document.getElementById("overheard").textContent = `${line.name}: ${words}`;
  if (line.kind !== "reaction" || line.seat === null) return;
  if (NARROW.matches && box.open && box.closest(".side")) return; // it is read in the drawer, which lies over the seats
  const names = document.querySelectorAll("main .seated bdi, main .seat .who bdi");
  const place = [...names].find((name) => name.textContent === line.name);
  if (!place?.checkVisibility()) return;
  for (const old of document.querySelectorAll(".flash")) if (old.dataset.who === line.who) old.remove();
  const flash = document.createElement("div");
  flash.className = "flash";
  flash.dataset.who = line.who;
  flash.setAttribute("aria-hidden", "true");
  flash.append(sign(line.text));
  document.body.append(flash);
  const { left, top, bottom } = place.getBoundingClientRect();
  const room = document.documentElement.clientWidth - flash.offsetWidth - 8;
  flash.style.left = `${Math.max(8, Math.min(left, room))}px`;
  flash.style.top = `${bottom + flash.offsetHeight + 4 < innerHeight ? bottom + 4 : top - flash.offsetHeight - 4}px`;
  setTimeout(() => flash.remove(), FLASH);
}

// What I have read

function count() {
  const lines = [...list().children].filter((line) => !line.hidden);
  const last = list().lastElementChild?.dataset.line ?? "";
  const read = stored(READ, {});
  if (box.open && !document.hidden && last && read[code()] !== last) {
    delete read[code()];
    const rooms = Object.entries({ ...read, [code()]: last });
    store(READ, Object.fromEntries(rooms.slice(-ROOMS)));
    read[code()] = last;
  }
  const seen = read[code()] ?? "";
  const unread = lines.filter((line) => line.dataset.line > seen && line.dataset.who !== box.dataset.own);
  box.querySelector(".unread").hidden = !unread.length;
  box.querySelector("[data-unread]").textContent = unread.length;
}

// Whom I do not want to read

const hush = () => stored(HUSH, { all: false, who: {} });
const hushed = (who) => who !== box.dataset.own && (hush().all || who in hush().who);

function setUpHush() {
  const menu = box.querySelector(".hush");
  menu.hidden = false;
  menu.querySelector('[value="all"]').checked = hush().all;
  for (const line of list().children) offerHush(line.dataset.who, line.querySelector("bdi").textContent);
  showHushed();
}

/** Has a writer among those who can be muted, under the name that they have now. */
function offerHush(who, name) {
  if (who === box.dataset.own) return;
  const choices = box.querySelector(".hush fieldset");
  let choice = choices.querySelector(`[value="${CSS.escape(who)}"]`)?.parentElement;
  if (!choice) {
    choice = choices.querySelector("label").cloneNode(true);
    choice.lastChild.replaceWith(" ", document.createElement("bdi"));
    choice.firstElementChild.value = who;
    choices.append(choice);
  }
  choice.firstElementChild.checked = who in hush().who;
  choice.lastElementChild.textContent = name;
}

function showHushed() {
  for (const line of list().children) line.hidden = hushed(line.dataset.who);
  const chosen = [...box.querySelectorAll(".hush :checked")].map((one) => one.parentElement.textContent.trim());
  const note = box.querySelector(".hushed");
  note.hidden = !chosen.length;
  note.lastElementChild.textContent = chosen.join(", ");
}

function choose({ target }) {
  if (!target.closest?.(".hush")) return;
  const now = hush();
  if (target.value === "all") now.all = target.checked;
  else if (target.checked) now.who[target.value] = target.parentElement.textContent.trim();
  else delete now.who[target.value];
  store(HUSH, now);
  showHushed();
  count();
}

// What I say

function submit(event) {
  const form = event.target;
  if (!("chat" in form.dataset)) return;
  event.preventDefault();
  if (form.dataset.sent || ended()) return;
  const data = new FormData(form, event.submitter);
  const [text, what] = ["text", "what"].map((name) => data.get(name));
  const seat = box.querySelector("#say-seat")?.value;
  const id = newId();
  form.dataset.sent = id;
  form.setAttribute("aria-busy", "true");
  for (const place of box.querySelectorAll(".voice .refused")) place.textContent = "";
  if (text !== null) sent.set(id, text);
  const said = what === null ? { t: "chat", text } : { t: "react", what };
  send({ ...said, id, ...(seat ? { seat: Number(seat) } : {}) });
}

document.addEventListener("submit", submit, true);
document.addEventListener("change", choose);
document.addEventListener("input", ({ target }) => {
  if (target.id === "say-text") draft = target.value;
});
document.addEventListener("toggle", ({ target }) => {
  if (target !== box || !box.open) return;
  toEnd();
  count();
}, true);
document.addEventListener("visibilitychange", () => box && count());
NARROW.addEventListener("change", () => {
  if (box) box.open = !NARROW.matches;
});
// The keyboard of a phone covers the page without making it smaller.
visualViewport?.addEventListener("resize", () => {
  document.documentElement.style.setProperty("--seen", `${visualViewport.height}px`);
});
