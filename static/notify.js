// Notifications: from this page while it is out of sight, and from the house while it is closed.
// They need the reader's leave, and an address with https.

const KEPT = "motherlode.told";
const PATIENCE = 10_000;

let wish = null; // where nothing can be stored

/** Our script in this browser, once it works there. */
async function worker() {
  const found = await navigator.serviceWorker.getRegistration("/");
  return found?.active ? found : undefined;
}

function wanted() {
  try {
    return localStorage.getItem(KEPT) === "on";
  } catch {
    return wish === "on";
  }
}

function want(what) {
  wish = what;
  try {
    localStorage.setItem(KEPT, what);
  } catch {
    // It counts for this page then.
  }
}

/** What can be had here: "insecure", "missing" and "denied" say why nothing can, else "off" or "on". */
export function state() {
  if (!isSecureContext) return "insecure";
  if (!("Notification" in window) || !("serviceWorker" in navigator)) return "missing";
  if (Notification.permission === "denied") return "denied";
  return Notification.permission === "granted" && wanted() ? "on" : "off";
}

/** Asks for leave and has this browser told. Returns "closed" where that works for closed pages too. */
export async function begin() {
  if ((await Notification.requestPermission()) !== "granted") return state();
  want("on");
  return renew();
}

/** Tells the house again where this browser is reached: its push service may have moved it. */
export async function renew() {
  if (state() !== "on") return state();
  try {
    await navigator.serviceWorker.register("/push.js");
    const ready = await navigator.serviceWorker.ready;
    const { endpoint, keys } = (await soon(subscribed(ready.pushManager))).toJSON();
    return (await send("/api/notifications", { endpoint, keys })) ? "closed" : "on";
  } catch {
    return "on"; // no push service, or none that can be reached now: the page itself does what it can
  }
}

export async function end() {
  want("off");
  try {
    const subscription = await (await worker())?.pushManager.getSubscription();
    if (!subscription) return state();
    await send("/api/notifications/end", { endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  } catch {
    // The house finds out by itself when it sends the next one.
  }
  return state();
}

/** Shows a notification that leads to a room; a push for the same room takes its place. */
export async function note(code, title, body) {
  if (state() !== "on") return;
  const data = { path: `/r/${code}` };
  await (await worker())?.showNotification(title, { body, tag: code, data });
}

/** Takes the notifications of a room away: its page is in sight, or nothing is asked any more. */
export async function clear(code) {
  if (state() !== "on") return;
  const shown = await (await worker())?.getNotifications({ tag: code });
  for (const one of shown ?? []) one.close();
}

async function subscribed(push) {
  const { key } = await (await fetch("/api/notifications")).json();
  const old = await push.getSubscription();
  if (old && text(old.options.applicationServerKey) === key) return old;
  await old?.unsubscribe();
  return push.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function text(buffer) {
  const letters = btoa(String.fromCharCode(...new Uint8Array(buffer ?? 0)));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function soon(promise) {
  return Promise.race([promise, new Promise((_, fail) => { setTimeout(fail, PATIENCE); })]);
}

async function send(path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return answer.ok;
}
