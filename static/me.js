// The visitor's own page: a code that came with the link, and copying the link for another device.

import { copyLink } from "./sharing.js";

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
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    const said = (await copyLink(field.value, field)) === "copied" ? button.dataset.done : button.dataset.select;
    button.lastElementChild.textContent = said;
  });
}
