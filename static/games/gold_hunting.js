// The page of Gold Hunting: a mountain is chosen before its bar is named. Building and the lifting
// of bars have scripts of their own. Everything also works without them, as plain forms.

import { watchLifts } from "./gold_hunting_lift.js";
import { resume } from "./gold_hunting_site.js";

/** A size can be named once a mountain is chosen. */
function showCalls() {
  const mountains = [...document.querySelectorAll('input[type="radio"][name="mountain"]')];
  const none = mountains.length > 0 && !mountains.some((mountain) => mountain.checked);
  for (const button of document.querySelectorAll("button[data-dig]")) button.disabled = none;
}

document.addEventListener("change", ({ target }) => {
  if (target.name === "mountain") showCalls();
});

const REGIONS = { prompt: [resume, showCalls], site: [resume], "mountains-0": [showCalls], "mountains-1": [showCalls], last: [watchLifts] };

function watch() {
  for (const [name, calls] of Object.entries(REGIONS)) {
    const region = document.querySelector(`[data-region="${name}"]`);
    if (!region || region.dataset.watched) continue;
    region.dataset.watched = "";
    const changed = () => calls.forEach((call) => call());
    new MutationObserver(changed).observe(region, { childList: true });
    changed();
  }
}

document.documentElement.classList.add("lively");
new MutationObserver(watch).observe(document.body, { childList: true });
watch();
