// Choosing in Splendor: gems raise their number at each press, one thing is chosen at a time, and
// only what the server listed as legal can be chosen. Everything also works without this script.

const sorted = (words) => [...words].sort().join(" ");
const gems = () => [...document.querySelectorAll('[name="gems"]')];
const chosen = () => gems().filter((gem) => gem.checked).map((gem) => gem.value);
const cards = () => document.querySelectorAll('[name="card"][type="radio"]');

/** The legal takes, each a sorted list of colours. */
function takes() {
  const listed = document.querySelector("[data-takes]")?.dataset.takes;
  return listed ? listed.split(",").map((take) => take.split(" ").sort()) : [];
}

/** Tells whether everything in `part` is in `whole`, as often. */
function within(part, whole) {
  const rest = [...whole];
  return part.every((word) => {
    const at = rest.indexOf(word);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

/** Says why a colour cannot be added to what is chosen. */
function reason(colour, have) {
  const { third, four, alone } = document.querySelector("[data-hint]").dataset;
  if (have.includes(colour)) return four;
  return new Set(have).size < have.length ? alone : third;
}

function showTake(said = "") {
  const hint = document.querySelector("[data-hint]");
  if (!hint) return;
  hint.dataset.rule ??= hint.textContent;
  const legal = takes();
  const have = chosen();
  const complete = legal.some((take) => sorted(take) === sorted(have));
  hint.closest("form").querySelector("button").disabled = !complete;
  hint.textContent = said || (complete ? "" : hint.dataset.rule);
  for (const gem of gems()) {
    if (gem.id.startsWith("h")) gem.tabIndex = -1;
    const more = have.includes(gem.value) || legal.some((take) => within([...have, gem.value], take));
    gem.setAttribute("aria-disabled", String(!more));
  }
}

/** One press of a gem: one more of it if that is legal, else none of it if it was chosen. */
function pressGem(pressed) {
  const [first, second] = gems().filter((gem) => gem.value === pressed.value);
  pressed.checked = !pressed.checked; // what it was before the press
  const have = chosen();
  const had = have.filter((colour) => colour === pressed.value).length;
  const legal = takes().some((take) => within([...have, pressed.value], take));
  const now = legal ? had + 1 : 0;
  first.checked = now > 0;
  if (second) second.checked = now > 1;
  for (const card of cards()) card.checked = false;
  const why = !legal && (had === 0 || have.length === 1);
  const pair = now > 1 ? second.nextElementSibling.lastElementChild.textContent : "";
  showTake(why ? reason(pressed.value, have) : pair);
}

/** Where one token goes back, another choice takes the place of the first. */
function giveOne(chosen) {
  const gives = chosen.closest("[data-give]");
  if (gives.dataset.give !== "1" || chosen.value === "0") return;
  for (const none of gives.querySelectorAll('[value="0"]')) {
    if (none.name !== chosen.name) none.checked = true;
  }
}

function showGiving() {
  const gives = document.querySelector("[data-give]");
  if (!gives) return;
  const steps = [...gives.querySelectorAll('input[type="radio"]')];
  const sum = steps.reduce((n, step) => n + (step.checked ? Number(step.value) : 0), 0);
  const wanted = Number(gives.dataset.give);
  for (const step of steps) {
    const own = steps.find((other) => other.name === step.name && other.checked);
    const left = wanted === 1 ? 1 : wanted - sum + Number(own?.value ?? 0);
    step.disabled = Number(step.value) > left;
  }
  gives.querySelector("button").disabled = sum !== wanted;
}

document.addEventListener("change", ({ target }) => {
  if (target.name === "gems") pressGem(target);
  else if (target.name === "card" && target.type === "radio") {
    for (const gem of gems()) gem.checked = false;
    showTake();
  } else if (target.closest("[data-give]")) {
    giveOne(target);
    showGiving();
  }
});

// A chosen card that is pressed again is no longer chosen. Each press of a token to give back gives
// one more of it; after as many as may be given, none again.
document.addEventListener("pointerdown", ({ target }) => {
  const choice = target.closest?.("label.card, .give label")?.control;
  if (!choice) return;
  const given = choice.closest(".give")?.querySelector(":checked").value;
  if (given) choice.dataset.again = given;
  else if (choice.checked) choice.dataset.again = "";
});
document.addEventListener("click", ({ target }) => {
  if (target.type !== "radio" || !("again" in target.dataset)) return;
  const { again } = target.dataset;
  delete target.dataset.again;
  const kinds = target.closest(".give");
  if (!kinds) {
    target.checked = false;
    return;
  }
  if (again === "0") return;
  const more = kinds.querySelector(`[value="${Number(again) + 1}"]:enabled`);
  (more ?? kinds.querySelector('[value="0"]')).checked = true;
  showGiving();
});

// Another question: what was chosen for the last one is not chosen for this one.
function asked() {
  if (!document.getElementById("chosen")) for (const card of cards()) card.checked = false;
  showTake();
  showGiving();
}

function watch() {
  const prompt = document.querySelector('[data-region="prompt"]');
  if (!prompt || prompt.dataset.watched) return;
  prompt.dataset.watched = "";
  new MutationObserver(asked).observe(prompt, { childList: true });
  asked();
}

document.documentElement.classList.add("lively");
new MutationObserver(watch).observe(document.body, { childList: true });
watch();
