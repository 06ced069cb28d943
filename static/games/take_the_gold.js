// The page of Take the Gold: exactly as many cards are chosen to discard as are too many.
// It also works without this, as a plain form: the server then says how many are wanted.

function count() {
  const hand = document.querySelector("[data-exactly]");
  if (!hand) return;
  const boxes = [...hand.querySelectorAll("input")];
  const full = boxes.filter((box) => box.checked).length === Number(hand.dataset.exactly);
  for (const box of boxes) box.disabled = full && !box.checked && box.type === "checkbox";
  hand.closest("form").querySelector("button").disabled = !full;
}

document.addEventListener("change", ({ target }) => {
  if (target.name === "cards") count();
});

function watch() {
  const region = document.querySelector('[data-region="prompt"]');
  if (!region || region.dataset.watched) return;
  region.dataset.watched = "";
  new MutationObserver(count).observe(region, { childList: true });
  count();
}

new MutationObserver(watch).observe(document.body, { childList: true });
watch();
