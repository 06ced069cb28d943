// Reads a record that may be anything: a file from a stranger, damaged, forged or made to be slow.

export const MOST_BYTES = 5_000_000; // a long game has a tenth of a megabyte
const FORMAT = "motherlode.record.v1";
const MOST_SEATS = 100;
const MOST_LETTERS = 200;
const MOST_ITEMS = 1000; // of one list that was drawn from
const MOST_NUMBERS = 100_000; // drawn in the whole game
const HEX = /^[0-9a-f]{64}$/;

/** Something that makes a text no record at all; `code` says what. */
export class Unreadable extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

const isHex = (value) => typeof value === "string" && HEX.test(value);
const isName = (value) => typeof value === "string" && value.length <= MOST_LETTERS;
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isList = (value, each, most = Infinity) => Array.isArray(value) && value.length <= most && value.every(each);
const isDraw = (draw) => isObject(draw) &&
  (Number.isSafeInteger(draw.below) || Array.isArray(draw.shuffled) || (Array.isArray(draw.of) && Number.isSafeInteger(draw.sample)));
const isEntry = (entry) => isObject(entry) && Number.isSafeInteger(entry.seq) && typeof entry.kind === "string" &&
  typeof entry.draws === "boolean" && (!("drawn" in entry) || isList(entry.drawn, isDraw)) && isObject(entry.body) && isList(entry.actors, Number.isSafeInteger, MOST_SEATS);

function shaped(record) {
  const start = record?.entries?.[0]?.body;
  return record?.format === FORMAT && isHex(record.commitment) && isHex(record.server_seed) &&
    isHex(record.digest) && isObject(record.outcome) && isList(record.entries, isEntry) && isName(start.room) &&
    isList(record.names, isName, MOST_SEATS) &&
    [record.hashes, start.r].every((each) => isList(each, (one) => one === null || isHex(one), MOST_SEATS));
}

/** Counts the keys of all objects in a JSON text: each stands before a colon outside of texts. */
function keysOf(text) {
  let [keys, quoted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (quoted && letter === "\\") at += 1;
    else if (letter === '"') quoted = !quoted;
    else if (letter === ":" && !quoted) keys += 1;
  }
  return keys;
}

function keysIn(data) {
  if (data === null || typeof data !== "object") return 0;
  const values = Object.values(data);
  return values.reduce((sum, value) => sum + keysIn(value), Array.isArray(data) ? 0 : values.length);
}

/** Returns how many numbers a draw takes; more than any game takes where one list is too long. */
function numbersOf(draw) {
  const items = draw.shuffled ?? draw.of ?? [];
  return items.length > MOST_ITEMS ? Infinity : Math.max(1, items.length);
}

function numbersIn({ entries }) {
  let numbers = 0;
  for (const { drawn = [] } of entries) for (const draw of drawn) numbers += numbersOf(draw);
  return numbers;
}

/** Returns the record in the bytes of a file, with all that is read of it of its type. Throws `Unreadable`. */
export function read(bytes) {
  if (bytes.length > MOST_BYTES) throw new Unreadable("too_large");
  let text, record;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    record = JSON.parse(text);
  } catch {
    throw new Unreadable("no_record");
  }
  if (record?.format === `${FORMAT}.partial`) throw new Unreadable("partial");
  if (!shaped(record)) throw new Unreadable("no_record");
  if (keysOf(text) !== keysIn(record)) throw new Unreadable("twice");
  if (!(numbersIn(record) <= MOST_NUMBERS)) throw new Unreadable("too_large");
  return record;
}
