// The steps of a game that is looked back at, and the bar under them.

import { inHands } from "./handing.js";
import { swapIn } from "./regions.js";

const AGAIN = 1000; // milliseconds until the steps are fetched again because the game has gone on

/** Whether this is the page of a step, not a table that is looked back at in its place. */
export const own = document.querySelector("main.past") !== null;

export class Past {
  /** Takes what holds the board and its bar. `leave` brings the table back. */
  constructor(stage, leave) {
    this.stage = stage;
    this.bar = stage.querySelector(".steps");
    this.view = this.bar.dataset.view;
    this.leave = leave;
    const find = (name) => stage.querySelector(`[data-region="${name}"]`);
    this.regions = { known: new Map(), find };
    this.bar.addEventListener("click", (event) => this.#pressed(event));
    this.scrub.addEventListener("input", () => this.show(Number(this.scrub.value) - this.data.index));
  }

  get scrub() {
    return this.bar.querySelector(".scrub");
  }

  part(name) {
    return this.bar.querySelector(name);
  }

  /** Fetches the steps, up to one. What is forbidden to look up by now is gone from them. */
  async fetch(until) {
    const main = document.getElementById("main");
    const query = `${until === undefined ? "" : `until=${until}`}${this.view}`;
    const answer = await fetch(`/r/${main.dataset.room}/steps?${query}`, {
      cache: "no-store",
      headers: inHands(main.dataset.seat),
    });
    if (!answer.ok) throw new Error(`steps: ${answer.status}`);
    this.data = await answer.json();
    let all = {};
    this.drawn = this.data.steps.map(({ regions }) => (all = { ...all, ...regions }));
  }

  index(seq) {
    const later = this.data.steps.findIndex((step) => step.seq > seq);
    return later < 0 ? this.drawn.length - 1 : Math.max(0, later - 1);
  }

  show(index) {
    this.at = Math.min(Math.max(index, 0), this.drawn.length - 1);
    const { steps, index: count, total: of, closed } = this.data;
    const { said, seq } = steps[this.at];
    swapIn(this.drawn[this.at], this.regions);
    this.scrub.hidden = this.data.total < 2;
    const number = count + this.at;
    const say = this.part(".say");
    if (said) say.innerHTML = said;
    else say.textContent = closed && !number ? "" : this.bar.dataset.secret;
    this.part(".step-at").textContent = this.bar.dataset.where.replace("{n}", number + 1).replace("{of}", of);
    Object.assign(this.scrub, { min: count, max: count + steps.length - 1, value: number });
    this.scrub.setAttribute("aria-valuetext", this.part(".step-at").textContent);
    this.part(".step-closed").hidden = !closed || number > 0;
    for (const [way, there] of Object.entries({ first: number, before: number, after: of - 1 - number, last: of - 1 - number })) {
      this.part(`[data-go="${way}"]`).setAttribute("aria-disabled", String(!there));
    }
    if (own) {
      history.replaceState(null, "", `?at=${seq}${this.view}`);
      for (const link of this.bar.querySelectorAll(".views a")) link.href = link.href.replace(/at=\d+/, `at=${seq}`);
    }
  }

  async go(way) {
    if (way === "now") return this.leave();
    try {
      if (!this.data) {
        await this.fetch();
        this.at = this.index(Number(document.getElementById("main").dataset.at));
      }
      const { more, steps, index: count, total: of } = this.data;
      if (way === "first" && more) await this.fetch(steps[0].seq); // the first of these, as their last
      else if (way === "before" && more && !this.at) {
        await this.fetch(steps[0].seq);
        this.at = this.drawn.length - 1;
      } else if ((way === "last" || (way === "after" && this.at === steps.length - 1)) && count + steps.length < of) {
        await this.fetch();
        if (way === "after") this.at = this.index(steps.at(-1).seq);
      }
    } catch {
      this.part(".say").textContent = this.bar.dataset.failed;
      return undefined;
    }
    if (way === "first" && this.data.more) return this.go("first");
    const last = this.drawn.length - 1;
    return this.show({ first: 0, before: this.at - 1, after: this.at + 1, last }[way]);
  }

  /** The game has gone on: says so, and asks again for what may be looked at now. */
  news() {
    this.part(".step-later").hidden = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const { seq } = this.data.steps[this.at];
      try {
        await this.fetch();
        this.show(this.index(seq));
      } catch {
        // Offline, which the page says itself: what is shown was right when it came.
      }
    }, AGAIN);
  }

  #pressed(event) {
    const link = event.target.closest("[data-go]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (own && link.dataset.go === "now") return;
    event.preventDefault();
    if (link.getAttribute("aria-disabled") !== "true") this.go(link.dataset.go);
  }
}
