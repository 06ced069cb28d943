// The page that checks a record: takes a file, or the record of a table of this house.

import { kept } from "./../promise.js";
import { verify } from "./check.js";

const MOST = 20_000_000; // bytes of a file that is looked into
const result = document.getElementById("result");
const field = document.getElementById("file");
const says = document.getElementById("says").content;

/** Returns a sentence of the page with its blanks filled in. */
function said({ code, ok, ...facts }) {
  const found = says.querySelector(`[data-say="${code}"]`) ?? says.querySelector('[data-say="no_record"]');
  const text = (ok === false && found.dataset.not) || found.textContent;
  return Object.entries(facts).reduce((words, [key, value]) => words.replace(`{${key}}`, String(value)), text);
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
  const draws = (record?.entries ?? []).flatMap(({ seq, drawn }) => (Array.isArray(drawn) ? drawn.map((draw) => [seq, draw]) : []));
  result.querySelector(".draws").replaceChildren(...draws.map(([seq, draw]) => {
    const line = document.createElement("li");
    const label = document.createElement("b");
    label.textContent = said({ code: "entry", seq });
    line.append(label, " ", [draw?.gives].flat().map(String).join(" "));
    return line;
  }));
  result.querySelector("details").hidden = !draws.length || verdict === "no";
  result.hidden = false;
  result.focus();
}

async function check(source) {
  if (source.size > MOST) return show({ verdict: "no", checks: [{ code: "no_record", ok: false }], notes: [], record: null });
  return show(verify(new Uint8Array(await source.arrayBuffer()), kept));
}

field.disabled = false;
field.addEventListener("change", () => field.files[0] && check(field.files[0]));
const room = document.getElementById("main").dataset.room;
if (room) {
  const answer = await fetch(`/r/${room}/record`, { cache: "no-store" }).catch(() => null);
  if (answer?.ok) check(answer);
  else document.getElementById("missing").hidden = false;
}
