// Chance, drawn again from the seed: the recipe of docs/protocol.md, independent of the server's.

import { hmac } from "./hmac.js";

const END = 1n << 64n;

/** A stream of fair numbers for one entry; `k` earlier entries drew. */
export class Chance {
  #seed;
  #text = new DataView(new ArrayBuffer(16));
  #block = 0n;
  #words = [];

  constructor(seed, k) {
    this.#seed = seed;
    this.#text.setBigUint64(0, BigInt(k));
  }

  #word() {
    if (!this.#words.length) {
      this.#text.setBigUint64(8, this.#block);
      this.#block += 1n;
      const block = new DataView(hmac(this.#seed, new Uint8Array(this.#text.buffer)).buffer);
      this.#words = [0, 8, 16, 24].map((at) => block.getBigUint64(at));
    }
    return this.#words.shift();
  }

  /** Returns a number from 0 to below `end` (a BigInt where `end` is one). */
  below(end) {
    const wide = BigInt(end);
    if (wide < 1n || wide > END) throw new RangeError(`expected a bound from 1 to 2^64, got ${end}`);
    const fair = END - (END % wide);
    let word;
    do word = this.#word();
    while (word >= fair);
    const number = word % wide;
    return typeof end === "bigint" ? number : Number(number);
  }

  /** Returns the items in random order. */
  shuffled(items) {
    const order = [...items];
    for (let last = order.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }

  /** Returns `count` of the items, in the order drawn. */
  sample(items, count) {
    const rest = [...items];
    if (!(count >= 0 && count <= rest.length)) throw new RangeError(`cannot draw ${count} of ${rest.length}`);
    return Array.from({ length: count }, () => rest.splice(this.below(rest.length), 1)[0]);
  }

  /** Draws what a record says was asked, and returns what comes. Throws where it asks for nothing. */
  again(draw) {
    if ("below" in draw) return this.below(draw.below);
    if ("shuffled" in draw) return this.shuffled(draw.shuffled);
    if ("of" in draw) return this.sample(draw.of, draw.sample);
    throw new TypeError("expected below, shuffled or of");
  }
}
