// The socket of a room: finds out by itself that it is dead, comes back, sends again what was
// not answered, and stops where coming back is pointless.

const PAUSES = [500, 1000, 2000, 4000, 8000, 15000];
const DEAD = 30000; // the server beats every 20 s
const CHECK = 3000;
const FINAL = new Set([1003, 1007, 1008]);

export class Wire {
  /** `on` has message(data), state("online" | "offline" | "gone"). */
  constructor(code, v, on) {
    this.code = code;
    this.v = v;
    this.on = on;
    this.waiting = new Map();
    this.tries = 0;
    this.heard = 0;
    setInterval(() => this.#check(), 5000);
    document.addEventListener("visibilitychange", () => document.hidden || this.#wake());
    addEventListener("online", () => this.#wake());
    addEventListener("pageshow", () => this.#wake());
    addEventListener("offline", () => this.#tell("offline"));
    this.#connect();
  }

  /** Sends a message; one with an id is sent again after a reconnect until `answered(id)`. */
  send(message) {
    if (message.id) this.waiting.set(message.id, message);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else this.#wake();
  }

  answered(id) {
    return this.waiting.delete(id);
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
    if (FINAL.has(code)) return this.#stop();
    this.#tell("offline");
    // A refused handshake looks like any failure to a script: ask the page what is the matter.
    if (!opened && (await this.#refused())) return this.#stop();
    if (this.socket || this.timer) return undefined;
    const pause = opened && !this.tries ? 200 : PAUSES[Math.min(this.tries, PAUSES.length - 1)];
    this.tries += 1;
    this.timer = setTimeout(() => this.#connect(), pause * (0.75 + Math.random() / 2));
    return undefined;
  }

  async #refused() {
    try {
      const page = await fetch(`/r/${this.code}`, { method: "HEAD", cache: "no-store" });
      return [403, 404, 410].includes(page.status);
    } catch {
      return false;
    }
  }

  #stop() {
    this.gone = true;
    this.#tell("gone");
  }

  #drop() {
    const socket = this.socket;
    this.socket = null;
    if (socket) {
      socket.onclose = null;
      socket.close();
    }
    this.#tell("offline");
  }

  #check() {
    if (this.gone || !this.socket || Date.now() - this.heard < DEAD) return;
    this.#drop();
    this.#connect();
  }

  /** The page is looked at again, or the network is back: is the socket still alive? */
  #wake() {
    if (this.gone) return;
    const socket = this.socket;
    if (socket?.readyState === WebSocket.OPEN && Date.now() - this.heard < DEAD) {
      const asked = Date.now();
      socket.send('{"t":"ping"}');
      setTimeout(() => {
        if (this.socket !== socket || this.heard >= asked) return;
        this.#drop();
        this.#connect();
      }, CHECK);
    } else if (socket?.readyState !== WebSocket.CONNECTING || Date.now() - this.heard > CHECK) {
      this.#drop();
      this.#connect();
    }
  }
}
