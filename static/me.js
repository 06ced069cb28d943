// The visitor's own page: the code that came with the link of another device.

import "./copying.js";
import { locale } from "./local.js";

for (const time of document.querySelectorAll(".devices time")) {
  const as = { dateStyle: "medium", timeStyle: "short" };
  time.textContent = new Date(time.dateTime).toLocaleString(locale(), as);
}

const form = document.getElementById("use");
/** Fills in the code that came with the link, which no server was told. */
function take() {
  const given = /^#code=([\w-]{1,40})$/.exec(location.hash)?.[1];
  if (given && form) {
    form.elements.code.value = given;
    const place = form.closest("[data-code]");
    place.open = true;
    document.querySelector("#main h1").after(place);
    const button = form.querySelector("button");
    button.classList.add("main");
    button.focus();
  }
  // Neither the code nor the address of a form is for the history, or for who looks over a shoulder.
  if (location.hash || location.pathname !== "/me") history.replaceState(null, "", "/me");
}

take();
addEventListener("hashchange", take);
