// Canonical JSON, as docs/protocol.md describes it: one text for the same data everywhere.

const SHORT = { '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const ESCAPED = /["\\]|[^ -~]/g;
const escaped = (unit) => SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
const written = (text) => `"${text.replace(ESCAPED, escaped)}"`;

/** Compares by code points; the language itself compares by UTF-16 units. */
function byCodePoint(one, other) {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  if (at === most) return one.length - other.length;
  const pair = at > 0 ? one.codePointAt(at - 1) - other.codePointAt(at - 1) : 0;
  return pair || one.codePointAt(at) - other.codePointAt(at);
}

/** Returns the text. Throws a TypeError for numbers that are not whole or too large to be exact. */
export function canonicalJson(data) {
  if (data === null || typeof data === "boolean") return String(data);
  if (typeof data === "string") return written(data);
  if (typeof data === "bigint") return String(data);
  if (typeof data === "number") {
    if (!Number.isSafeInteger(data)) throw new TypeError(`expected a whole number, got ${data}`);
    return String(data);
  }
  if (Array.isArray(data)) return `[${data.map(canonicalJson).join(",")}]`;
  const keys = Object.keys(data).sort(byCodePoint);
  return `{${keys.map((key) => `${written(key)}:${canonicalJson(data[key])}`).join(",")}}`;
}
