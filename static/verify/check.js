// Checks a complete record: what was promised was kept, and all chance follows from it.

import { sha256 } from "./../sha256.js";
import { canonicalJson } from "./canonical.js";
import { Chance } from "./chance.js";
import { bytesOf, fromHex, hmac } from "./hmac.js";

const FORMAT = "motherlode.record.v1";
const HEX = /^[0-9a-f]{64}$/;
const isHex = (value) => typeof value === "string" && HEX.test(value);
const hashOf = (digits) => sha256(fromHex(digits));

/** Something that makes a text no record at all; `code` says what. */
class Unreadable extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

function read(bytes) {
  let record;
  try {
    record = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Unreadable("no_record");
  }
  if (record?.format === `${FORMAT}.partial`) throw new Unreadable("partial");
  const start = record?.entries?.[0]?.body;
  const shaped = record?.format === FORMAT && isHex(record.commitment) && isHex(record.server_seed) &&
    Array.isArray(record.names) && Array.isArray(record.hashes) && Array.isArray(start?.r) &&
    record.entries.every((entry) => entry !== null && typeof entry === "object") &&
    [...record.hashes, ...start.r].every((one) => one === null || isHex(one)) && typeof start.room === "string";
  if (!shaped) throw new Unreadable("no_record");
  return record;
}

function unchanged({ digest, ...rest }) {
  return sha256(bytesOf(canonicalJson(rest))) === digest;
}

function promisesKept({ names, hashes, entries }) {
  const { r, seats } = entries[0].body;
  return [names, hashes, r].every((each) => each.length === seats) &&
    r.every((one, seat) => one === null || hashOf(one) === hashes[seat]);
}

/** Says whether promises were kept; where no browser made one there is nothing to be glad of. */
function promised(record) {
  const ok = holds(() => promisesKept(record));
  return ok && record.entries[0].body.r.every((one) => one === null) ? { code: "alone", ok: null } : { code: "promises", ok };
}

/** Returns the game's seed, made from all secrets together. */
export function seedOf({ server_seed: secret, entries }) {
  const { room, game, rules_version, options, r } = entries[0].body;
  return hmac(fromHex(secret), bytesOf(canonicalJson({ room, game, rules_version, options, r })));
}

/** Draws an entry again; tells whether the same came, in the same spelling. */
function follows(seed, k, { drawn }) {
  if (!Array.isArray(drawn) || !drawn.length) return false;
  const chance = new Chance(seed, k);
  return drawn.every((draw) => canonicalJson(chance.again(draw)) === canonicalJson(draw.gives));
}

/** Returns the first entry whose draws do not follow (null: all do), and how many entries drew. */
function drawnAgain(record) {
  const seed = seedOf(record);
  let k = 0;
  for (const [seq, entry] of record.entries.entries()) {
    const sound = entry.seq === seq && (entry.draws === true || (entry.draws === false && !("drawn" in entry)));
    if (!sound || (entry.draws && !follows(seed, k, entry))) return { wrong: seq, k };
    if (entry.draws) k += 1;
  }
  return { wrong: null, k };
}

/** Compares with what this browser kept: the code of what it finds, and whether that is good. */
function compared(record, kept) {
  if (!kept) return { code: "nothing_kept", ok: null };
  if (kept.commitment !== record.commitment) return { code: "other_promise", ok: false };
  const seat = record.hashes.indexOf(hashOf(kept.r));
  const { r } = record.entries[0].body;
  if (seat >= 0) return r[seat] === null ? { code: "own_late", ok: null } : { code: "own_used", ok: true };
  if (!kept.played) return { code: "own_unseated", ok: null };
  return record.hashes.includes(null) ? { code: "own_absent", ok: null } : { code: "own_replaced", ok: false };
}

/** Tries a check on data that may be anything. */
function holds(check) {
  try {
    return check();
  } catch {
    return false;
  }
}

/**
 * Checks the bytes of a record. `keptFor(code)` returns what this browser kept of a room, or null.
 * Returns {verdict: "yes" | "consistent" | "no", checks: [{code, ok, ...facts}], notes, record}; an
 * `ok` of null is neither good nor bad.
 */
export function verify(bytes, keptFor) {
  let record;
  try {
    record = read(bytes);
  } catch (wrong) {
    return { verdict: "no", checks: [{ code: wrong.code ?? "no_record", ok: false }], notes: [], record: null };
  }
  const draws = holds(() => drawnAgain(record)) || { wrong: 0, k: 0 };
  const own = compared(record, keptFor(record.entries[0].body.room));
  const checks = [
    { code: "digest", ok: holds(() => unchanged(record)) },
    { code: "commitment", ok: hashOf(record.server_seed) === record.commitment },
    promised(record),
    { code: "deal", ok: draws.wrong !== 0 },
    ...(draws.wrong === 0 || (draws.wrong === null && draws.k < 2) ? [] : [{ code: "draws", ok: draws.wrong === null, n: draws.k - 1, seq: draws.wrong }]),
    own,
  ];
  const notes = record.entries[0].body.r.flatMap((one, seat) =>
    (one === null ? [{ code: record.hashes[seat] === null ? "promised_nothing" : "withheld", name: record.names[seat] }] : []));
  const wrong = checks.some(({ ok }) => ok === false);
  return { verdict: wrong ? "no" : own.ok ? "yes" : "consistent", checks, notes, record };
}
