// Forms that change the table without being a move: posted from where one is, so that what is half
// chosen there stays. What they change comes over the socket.

async function post(event) {
  const form = event.target;
  if (!("quiet" in form.dataset)) return;
  event.preventDefault();
  if (form.ariaBusy) return;
  form.ariaBusy = "true";
  refused(form, "");
  try {
    const body = new URLSearchParams(new FormData(form, event.submitter));
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    if (answer.type === "opaqueredirect") done(form);
    else refused(form, await refusal(answer));
  } catch {
    refused(form, form.dataset.quiet);
  }
  form.ariaBusy = null;
}

/** Returns the form, or the one in its place: its region may be swapped before the answer comes. */
function shown(form) {
  const again = `form[data-quiet][action="${form.getAttribute("action")}"]`;
  return form.isConnected ? form : document.querySelector(again);
}

function refused(form, why) {
  const place = shown(form)?.querySelector(".refused");
  if (place) place.textContent = why;
}

/** Closes what the form was opened in. */
function done(form) {
  const now = shown(form);
  const around = now?.closest("details.menu") ?? now?.closest("details");
  if (!around) return;
  around.open = false;
  around.querySelector("summary").focus({ preventScroll: true });
}

/** Returns the sentence on the page that says why nothing was changed. */
async function refusal(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const said = page.querySelector('main > [role="alert"]') ?? page.querySelector("h1");
  return said?.textContent.trim() ?? "";
}

document.addEventListener("submit", post, true);
