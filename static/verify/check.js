// Checks a complete record: what was promised was kept, and all chance follows from it.

import { sha256 } from "./../sha256.js";
import { canonicalJson } from "./canonical.js";
import { Chance } from "./chance.js";
import { bytesOf, fromHex, hmac } from "./hmac.js";
import { read, Unreadable } from "./read.js";

const hashOf = (digits) => sha256(fromHex(digits));

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

/** Tells whether it goes from a deal to an end, none missing between: only after the last nobody is asked. */
function whole({ entries, outcome }) {
  const { seats } = entries[0].body;
  const last = entries.length - 1;
  const isSeat = (seat) => Number.isSafeInteger(seat) && seat >= 0 && seat < seats;
  return last > 0 && Array.isArray(outcome.ranking) && outcome.ranking.length === seats &&
    entries.every(({ seq, seat, kind, actors }, at) => seq === at && (actors.length === 0) === (at === last) &&
      (kind === "start") === (at === 0) && (at === 0 ? seat === null : isSeat(seat)));
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

function examined(record, keptFor, wanted) {
  const { room, r } = record.entries[0].body;
  if (!holds(() => unchanged(record))) return { verdict: "no", checks: [{ code: "digest", ok: false }], notes: [], record };
  const draws = holds(() => drawnAgain(record)) || { wrong: 0, k: 0 };
  const own = compared(record, keptFor(room));
  const checks = [
    ...(wanted === null ? [] : [{ code: "room", ok: room === wanted }]),
    { code: "digest", ok: true },
    { code: "whole", ok: whole(record), n: record.entries.length },
    { code: "commitment", ok: hashOf(record.server_seed) === record.commitment },
    promised(record),
    { code: "deal", ok: draws.wrong !== 0 },
    ...(draws.wrong === 0 || (draws.wrong === null && draws.k < 2) ? [] : [{ code: "draws", ok: draws.wrong === null, n: draws.k - 1, seq: draws.wrong }]),
    own,
  ];
  const notes = r.flatMap((one, seat) =>
    (one === null ? [{ code: record.hashes[seat] === null ? "promised_nothing" : "withheld", name: record.names[seat] ?? `${seat + 1}` }] : []));
  const wrong = checks.some(({ ok }) => ok === false);
  return { verdict: wrong ? "no" : own.ok ? "yes" : "consistent", checks, notes, record };
}

/**
 * Checks the bytes of a record. `keptFor(code)` returns what this browser kept of a room, or null;
 * `wanted` is the room whose record it should be, null for any.
 * Returns {verdict: "yes" | "consistent" | "no", checks: [{code, ok, ...facts}], notes, record}; an
 * `ok` of null is neither good nor bad. Never throws.
 */
export function verify(bytes, keptFor, wanted = null) {
  try {
    return examined(read(bytes), keptFor, wanted);
  } catch (wrong) {
    const code = wrong instanceof Unreadable ? wrong.code : "no_record";
    // A record of a running game is no wrong one: its secrets are not shown yet.
    const early = code === "partial";
    return { verdict: early ? "early" : "no", checks: [{ code, ok: early ? null : false }], notes: [], record: null };
  }
}
