// Copying and sending the link, also where the page has no secure context.

/** Returns "copied", or "select" where the reader has to copy by hand. */
export async function copyLink(url, input) {
  try {
    await navigator.clipboard.writeText(url);
    return "copied";
  } catch {
    const field = input ?? document.body.appendChild(document.createElement("textarea"));
    if (!input) {
      field.className = "vh";
      field.value = url;
    }
    field.focus();
    field.select();
    const copied = document.execCommand("copy");
    if (!input) field.remove();
    return copied ? "copied" : input ? "select" : "url";
  }
}

/** Opens the system's own way to send a link; copies it where there is none. */
export async function shareLink(url, title, input) {
  if (!navigator.share) return copyLink(url, input);
  try {
    await navigator.share({ title, url });
    return "";
  } catch (error) {
    return error.name === "AbortError" ? "" : copyLink(url, input);
  }
}
