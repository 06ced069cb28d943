// How this browser writes times in the language of the page.

/** The browser's own locale of the page's language: a page in English has the times of en-GB where those are wanted. */
export function locale() {
  const { lang } = document.documentElement;
  const same = (own) => own === lang || own.startsWith(`${lang}-`);
  return navigator.languages.find(same) ?? lang;
}
