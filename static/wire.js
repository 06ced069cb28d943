// The socket of a room: finds out by itself that it is dead, comes back, sends again what was
// not answered, and stops where coming back is pointless.

const PAUSES = [500, 1000, 2000, 4000, 8000, 15000];
const DEAD = 25_000; // milliseconds of silence; the server beats every 20 s
const OPENING = 8_000; // after which a socket that does not open is given up
const ANSWER = 5_000; // after which a message without an answer makes us doubt the line
const CHECK = 2_000; // within which a doubted line has to answer
const TICK = 1_000;
const SLEPT = 3_000; // between two ticks: this page, or the whole device, was asleep
const BUSY = 1013; // too much came from this address, perhaps not from this page
const BUSY_PAUSE = 3000;
const FINAL = new Set([1003, 1007, 1008]); // and all of the house's own, from 4000 on
const REFUSED = new Set([403, 404, 409, 410]);

/** Milliseconds since `then`, also by a clock that was set back meanwhile. */
const since = (then) => Math.abs(Date.now() - then);

export class Wire {
  /** `on` has message(data), state("online" | "offline") and gone(code): no way back, and why. */
  constructor(code, v, on) {
    this.code = code;
    this.v = v;
    this.on = on;
    this.waiting = new Map();
    this.tries = 0;
    this.heard = 0;
    this.ticked = Date.now();
    setInterval(() => this.#tick(), TICK);
    document.addEventListener("visibilitychange", () => document.hidden || this.#wake());
    document.addEventListener("resume", () => this.#wake());
    addEventListener("online", () => this.#wake());
    addEventListener("pageshow", () => this.#wake());
    // With an open socket browsers do not keep a page for the way back.
    addEventListener("pagehide", () => this.#drop());
    addEventListener("offline", () => this.#tell("offline"));
    this.#connect();
  }

  /** Sends a message; one with an id is sent again after a reconnect until `answered(id)`. */
  send(message) {
    const { id } = message;
    if (id) {
      this.waiting.set(id, message);
      setTimeout(() => this.waiting.has(id) && this.#wake(), ANSWER);
    }
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else this.#wake();
  }

  answered(id) {
    return this.waiting.delete(id);
  }

  /** Ends it for good. */
  stop() {
    this.gone = true;
    clearTimeout(this.timer);
    this.#close();
  }

  #tell(state) {
    if (this.told === state) return;
    this.told = state;
    this.on.state(state);
  }

  #connect() {
    clearTimeout(this.timer);
    this.timer = null;
    const url = new URL(`/rooms/${this.code}/socket`, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.search = `v=${this.v}`;
    const { seat } = document.getElementById("main").dataset; // where several share this device
    if (seat) url.searchParams.set("seat", seat);
    const socket = new WebSocket(url, ["motherlode.html.v1"]);
    this.socket = socket;
    this.heard = Date.now();
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.tries = 0;
      this.heard = Date.now();
      this.#tell("online");
      for (const message of this.waiting.values()) socket.send(JSON.stringify(message));
    };
    socket.onmessage = (event) => {
      if (this.socket !== socket) return;
      this.heard = Date.now();
      this.#tell("online"); // also after a network that was away for so short that the socket held
      const message = JSON.parse(event.data);
      if (message.t === "state") this.v = message.v;
      this.on.message(message);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.#lost(opened, event.code);
    };
  }

  async #lost(opened, code) {
    this.socket = null;
    if (FINAL.has(code) || code >= 4000) return this.#end(code);
    this.#tell("offline");
    // A refused handshake looks like any failure to a script: ask the page what is the matter.
    const status = opened ? null : await this.#refused();
    if (status) return this.#end(status);
    if (this.gone || this.socket || this.timer) return undefined;
    const short = opened && !this.tries ? 200 : PAUSES[Math.min(this.tries, PAUSES.length - 1)];
    const pause = code === BUSY ? BUSY_PAUSE : short;
    this.tries += 1;
    this.timer = setTimeout(() => this.#connect(), pause * (0.75 + Math.random() / 2));
    return undefined;
  }

  /** Returns the status by which the room itself is refused, null where trying again may help. */
  async #refused() {
    try {
      const { status } = await fetch(`/r/${this.code}`, { method: "HEAD", cache: "no-store" });
      return REFUSED.has(status) ? status : null;
    } catch {
      return null;
    }
  }

  #end(code) {
    this.stop();
    this.on.gone(code);
  }

  #close() {
    const { socket } = this;
    this.socket = null;
    if (!socket) return;
    socket.onclose = null;
    socket.close();
  }

  #drop() {
    this.#close();
    if (!this.gone) this.#tell("offline");
  }

  #again() {
    this.#drop();
    this.#connect();
  }

  #tick() {
    const slept = since(this.ticked) > SLEPT;
    this.ticked = Date.now();
    if (slept && !document.hidden) return this.#wake();
    if (this.gone || !this.socket) return undefined;
    const patience = this.socket.readyState === WebSocket.CONNECTING ? OPENING : DEAD;
    return since(this.heard) < patience ? undefined : this.#again();
  }

  /** The page is looked at again, or the network is back: is the socket still alive? */
  #wake() {
    if (this.gone) return;
    const { socket } = this;
    if (socket?.readyState === WebSocket.OPEN && since(this.heard) < DEAD) {
      const asked = Date.now();
      socket.send('{"t":"ping"}');
      setTimeout(() => {
        if (this.socket === socket && this.heard < asked) this.#again();
      }, CHECK);
    } else if (socket?.readyState !== WebSocket.CONNECTING || since(this.heard) > CHECK) {
      this.#again();
    }
  }
}
