// The drawers (`<details>`) of a region outlive its swap: what somebody opened stays open.

/** Returns the drawers below an element by what stays the same when they are drawn again. */
function drawersOf(root) {
  const all = new Map();
  for (const drawer of root.querySelectorAll("details")) {
    const sign = drawer.id || drawer.className || drawer.querySelector("summary").textContent.trim();
    all.set(sign, all.has(sign) ? null : drawer); // what stands twice cannot be told apart
  }
  return all;
}

/**
 * Opens and closes the drawers of what comes into a region as they are there now. Where the server
 * says something else than it `said` before, it is right, but takes nobody's words away.
 */
export function keepDrawers(region, content, said) {
  const shown = drawersOf(region);
  if (!shown.size) return;
  const before = document.createElement("template");
  before.innerHTML = said ?? "";
  const told = drawersOf(before.content);
  for (const [sign, drawer] of drawersOf(content)) {
    const old = shown.get(sign);
    if (!drawer || !old || !told.get(sign)) continue;
    if (told.get(sign).open === drawer.open) drawer.open = old.open;
    else drawer.open ||= old.open && [...fields(old)].some((field) => field.value);
  }
}

/** Returns the fields that are written in. */
export function fields(root) {
  return root.querySelectorAll('input[type="text"]:not([readonly])');
}

/** Returns what tells an element of a drawer apart, for `sameInDrawer`; nothing outside of them. */
export function placeInDrawer(region, element) {
  const drawer = element.closest("details");
  const [sign] = [...drawersOf(region)].find(([, one]) => one && one === drawer) ?? [];
  return sign && { sign, tag: element.tagName, text: element.textContent };
}

/** Returns the same button or link of the same drawer after a swap, else what opens the drawer. */
export function sameInDrawer(region, { sign, tag, text }) {
  const drawer = drawersOf(region).get(sign);
  const same = [...(drawer?.querySelectorAll("a, button") ?? [])].find(
    (one) => one.tagName === tag && one.textContent === text,
  );
  return same?.checkVisibility() ? same : drawer?.querySelector("summary");
}
