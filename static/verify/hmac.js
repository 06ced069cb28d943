// HMAC-SHA256 by our own SHA-256, for pages without a secure context.

import { sha256 } from "./../sha256.js";

const BLOCK = 64;

/** Returns the bytes of hexadecimal digits. */
export const fromHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Returns text as UTF-8. */
export const bytesOf = (text) => new TextEncoder().encode(text);

function joined(first, second) {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Returns the HMAC-SHA256 of a message under a key, all of them bytes. */
export function hmac(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? fromHex(sha256(key)) : key);
  const inner = fromHex(sha256(joined(block.map((byte) => byte ^ 0x36), message)));
  return fromHex(sha256(joined(block.map((byte) => byte ^ 0x5c), inner)));
}
