// A page that shows its owner a link once: copying it, and leaving no trace of the form's address.

import { copyLink } from "./sharing.js";

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    const said = (await copyLink(field.value, field)) === "copied" ? button.dataset.done : button.dataset.select;
    button.lastElementChild.textContent = said;
  });
}
