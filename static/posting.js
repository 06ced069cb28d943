// Forms that change the table without being a move: posted from where one is, so that what is half
// chosen there stays. What they change comes over the socket.

async function post(event) {
  const form = event.target;
  if (!("quiet" in form.dataset)) return;
  event.preventDefault();
  if (form.ariaBusy) return;
  form.ariaBusy = "true";
  const place = form.querySelector(".refused");
  place.textContent = "";
  try {
    const body = new URLSearchParams(new FormData(form, event.submitter));
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    if (answer.type === "opaqueredirect") done(form);
    else place.textContent = await refusal(answer);
  } catch {
    place.textContent = form.dataset.quiet;
  }
  form.ariaBusy = null;
}

/** Closes what the form was opened in. */
function done(form) {
  const around = form.closest("details.menu") ?? form.closest("details");
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
