// The page that checks a record: takes a file, or the record of a table of this house.

import { kept } from "./../promise.js";
import { canonicalJson } from "./canonical.js";
import { verify } from "./check.js";
import { MOST_BYTES } from "./read.js";

const result = document.getElementById("result");
const field = document.getElementById("file");
const says = document.getElementById("says").content;
const spelled = (value) => (typeof value === "string" ? value : canonicalJson(value));
let asked = 0;

/** Returns a sentence of the page with its blanks filled in. */
function said({ code, ok, ...facts }) {
  const found = says.querySelector(`[data-say="${code}"]`) ?? says.querySelector('[data-say="no_record"]');
  const text = (ok === false && found.dataset.not) || found.textContent;
  return text.replace(/\{(\w+)\}/g, (blank, key) => (Object.hasOwn(facts, key) ? String(facts[key]) : blank));
}

function item(check) {
  const line = document.createElement("li");
  line.dataset.ok = String(check.ok ?? "");
  line.textContent = said(check);
  return line;
}

function show({ verdict, checks, notes, record }) {
  result.dataset.verdict = verdict;
  result.querySelector("h2").textContent = said({ code: `verdict_${verdict}` });
  result.querySelector(".means").textContent = said({ code: `means_${verdict}` });
  result.querySelector(".checks").replaceChildren(...checks.map(item), ...notes.map((note) => item({ ...note, ok: null })));
  const draws = (verdict === "no" ? [] : record?.entries ?? []).flatMap(({ seq, drawn }) => (Array.isArray(drawn) ? drawn.map((draw) => [seq, draw]) : []));
  result.querySelector(".draws").replaceChildren(...draws.map(([seq, draw]) => {
    const line = document.createElement("li");
    const label = document.createElement("b");
    label.textContent = said({ code: "entry", seq });
    line.append(label, " ", [draw.gives].flat().map(spelled).join(" "));
    return line;
  }));
  result.querySelector("details").hidden = !draws.length;
  result.hidden = false;
  result.focus();
}

/** Shows what it finds in a file or an answer, whatever that is: the newest that was asked for. */
async function check(source, wanted = null) {
  const mine = ++asked;
  result.hidden = true;
  let found = { verdict: "no", checks: [{ code: "no_record", ok: false }], notes: [], record: null };
  if (source.size > MOST_BYTES) found.checks[0].code = "too_large";
  else {
    try {
      found = verify(new Uint8Array(await source.arrayBuffer()), kept, wanted);
    } catch {
      // It could not be read to its end: damaged, as far as anybody can tell here.
    }
  }
  if (mine === asked) show(found);
}

field.disabled = false;
// A file that has changed under the same name counts as another one.
field.addEventListener("click", () => { field.value = ""; });
field.addEventListener("change", () => field.files[0] && check(field.files[0]));
const { room } = document.getElementById("main").dataset;
if (room) {
  const answer = await fetch(`/r/${room}/record`, { cache: "no-store" }).catch(() => null);
  // Whoever has chosen a file meanwhile wants to see that one.
  if (!asked && answer?.ok) check(answer, room);
  else if (!asked) document.getElementById("missing").hidden = false;
}
