// The link of a seat that the host opened: its code stands after the #, which no server is told.

let secret = "";

/** Takes the code out of the address, where it is for nobody to see or to share. */
function read() {
  const given = /^#seat=([\w-]{1,40})$/.exec(location.hash)?.[1];
  if (!given) return;
  secret = given;
  history.replaceState(null, "", location.pathname);
  claim();
}

/** Fills the code in where the page asks for it; says whether it does. */
export function claim() {
  const form = document.getElementById("take");
  if (!secret || !form) return false;
  form.elements.secret.value = secret;
  form.querySelector("[data-secret]").hidden = true;
  return true;
}

/** Tells whether this page was opened by the link of a seat. */
export const claiming = () => secret !== "";

addEventListener("hashchange", read);
read();
