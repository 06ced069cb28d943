// What is left of the time for a move, by the server's clock alone.
// The device's own clock and time zone may be anything: only how much time goes by is taken from it.

const KEPT = 8;
const heard = []; // the server's time less the time since this page began, lately

/** Takes note of the server's time, of which a message says what it was when it was sent. */
export function heardNow(now) {
  if (typeof now !== "number") return;
  heard.push(now - performance.now());
  if (heard.length > KEPT) heard.shift();
  showLeft();
}

/** Shows everywhere what is left, or that nothing is. A message that took long on its way says less than it should. */
export function showLeft() {
  if (!heard.length) return;
  const now = Math.max(...heard) + performance.now();
  for (const place of document.querySelectorAll("[data-due]")) {
    const seconds = Math.max(0, Math.ceil((Number(place.dataset.due) - now) / 1000));
    const text = written(seconds);
    if (place.textContent !== text) place.textContent = text;
    place.classList.toggle("few", seconds <= 20);
    const line = place.parentElement;
    line.hidden = !seconds;
    line.nextElementSibling.hidden = Boolean(seconds);
  }
}

function written(seconds) {
  const two = (n) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const end = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${end}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${end}`;
}

setInterval(showLeft, 250);
