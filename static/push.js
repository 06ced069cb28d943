// Shows what the house sends while no page of it is open, and leads to the game when it is pressed.
// It keeps nothing and answers for no page.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("push", (event) => event.waitUntil(show(event.data)));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

const windows = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

async function show(data) {
  const { title, body, path, tag } = data.json();
  // Whoever looks at a page of the house sees there that a game waits.
  if ((await windows()).some((one) => one.visibilityState === "visible")) return;
  await self.registration.showNotification(title, { body, tag, data: { path } });
}

async function open(path) {
  const url = new URL(path, self.location.origin);
  const there = (await windows()).find((one) => new URL(one.url).pathname === url.pathname);
  if (there) await there.focus();
  else await self.clients.openWindow(url.pathname);
}
