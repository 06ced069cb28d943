'use strict';
// Plays on this server for the harness in PEERS_DIR (see README.md): two seats of one room, each on
// a JSON socket, with the cards as the harness numbers them.
//
// opts.send: 'turn' (both moves of a turn in one frame, one entry; the default) or 'half' (one
// frame for each move, the draw once the state after the card has come back).
// The two players are guests made once for each running game and used again for its next room, as
// people do. The harness takes its seat 0 to begin, so that is whoever was chosen to.

const http = require('http');
const WebSocket = require('ws');

const COLOURS = 'YBWGR';
const EACH = 12;
const INVESTMENTS = 3;

const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });

function post(url, body, token) {
  return new Promise((resolve, reject) => {
    const data = JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) };
    if (token) headers.authorization = `Bearer ${token}`;
    const request = http.request(url, { method: 'POST', agent, headers }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (answer.statusCode >= 300) reject(new Error(`${url}: ${answer.statusCode} ${text}`));
        else resolve(JSON.parse(text));
      });
    });
    request.on('error', reject);
    request.end(data);
  });
}

// Cards: the harness has 12 numbers for each colour, the first three for equal investments.
const base = (card) => COLOURS.indexOf(card[0]) * EACH;
const numberOf = (card) => base(card) + (card[1] === '$' ? 0 : INVESTMENTS - 2 + Number(card.slice(1)));

function numbersOf(cards) {
  const investments = {};
  return cards.map((card) => {
    if (card[1] !== '$') return numberOf(card);
    investments[card] = (investments[card] || 0) + 1;
    return base(card) + investments[card] - 1;
  });
}

function cardOf(number) {
  const rank = number % EACH;
  const value = rank < INVESTMENTS ? '$' : String(rank - INVESTMENTS + 2);
  return COLOURS[Math.floor(number / EACH)] + value;
}

// What the harness reads of a state. `first` is the seat that began: the harness calls it 0.
class View {
  constructor(content, v, each, first) {
    this.content = content;
    this.view = content.view;
    this.seq = Math.floor(v / each);
    this.over = this.view.phase === 'over';
    this.first = first;
    this.seat = this.view.seat ^ first;
    this.turn = this.over ? -1 : this.view.turn ^ first;
  }

  get hand() { return numbersOf(this.view.hand); }

  get exp() {
    const [a, b] = this.view.expeditions.map(
      (own) => Array.from(COLOURS, (colour) => numbersOf(own[colour] || [])),
    );
    return this.first ? [b, a] : [a, b];
  }

  // The harness asks only whether a pile has cards.
  get disc() { return Array.from(COLOURS, (colour) => new Array(this.view.piles[colour].size)); }

  get deck() { return this.view.deck; }
}

class Seat {
  constructor(url, token, half) {
    this.half = half;
    this.each = half ? 2 : 1;
    this.first = 0;
    this.sent = 0;
    this.draw = null;
    this.last = null;
    this.tell = null;
    this.complain = () => {};
    this.closed = false;
    this.socket = null;
    this.opened = new Promise((resolve, reject) => {
      this.ws = new WebSocket(url, ['motherlode.json.v1'], {
        perMessageDeflate: false, headers: { authorization: `Bearer ${token}` },
      });
      this.ws.on('upgrade', (answer) => { this.socket = answer.socket; });
      this.ws.on('message', (data) => { if (this.heard(JSON.parse(data))) resolve(this); });
      this.ws.on('error', (error) => { reject(error); this.complain(String(error)); });
      this.ws.on('close', (code) => { if (!this.closed) this.complain(`closed ${code}`); });
    });
  }

  heard(message) {
    if (message.t === 'refused') this.complain(`refused: ${JSON.stringify(message)}`);
    if (message.t !== 'state' || message.d.view === null) return false;
    this.last = message;
    const prompt = message.d.prompt;
    if (this.draw !== null && prompt !== null && prompt.stage === 'draw') {
      const draw = this.draw;
      this.draw = null;
      this.say(prompt.n, [draw]);
    }
    if (this.tell) this.tell(this.seen());
    return true;
  }

  seen() { return new View(this.last.d, this.last.v, this.each, this.first); }

  say(prompt, moves) {
    this.sent += 1;
    this.ws.send(JSON.stringify({ t: 'move', id: String(this.sent), prompt, moves }));
  }

  onState(tell) { this.tell = tell; tell(this.seen()); }

  onError(complain) { this.complain = complain; }

  sendMove(move) {
    const card = { kind: move.to, card: cardOf(move.card) };
    const draw = { kind: 'draw', from: move.draw === 'deck' ? 'deck' : COLOURS[move.draw] };
    const { n } = this.last.d.prompt;
    if (this.half) {
      this.draw = draw;
      this.say(n, [card]);
    } else this.say(n, [card, draw]);
  }

  bytes() { return this.socket ? [this.socket.bytesRead, this.socket.bytesWritten] : [0, 0]; }

  close() { this.closed = true; this.ws.close(); }
}

function create(url, opts = {}) {
  const half = opts.send === 'half';
  const resting = [];

  async function pair() {
    const rested = resting.pop();
    if (rested) return rested;
    const names = ['Bot 1', 'Bot 2'];
    const made = await Promise.all(names.map((name) => post(`${url}/api/players`, { name })));
    return made.map((player) => player.token);
  }

  return {
    async createRoom() {
      const tokens = await pair();
      const game = { game: 'lost_cities', seats: 2, options: {} };
      const { code } = await post(`${url}/api/rooms`, game, tokens[0]);
      await post(`${url}/api/rooms/${code}/seats`, {}, tokens[1]);
      await post(`${url}/api/rooms/${code}/start`, {}, tokens[0]);
      const address = `${url.replace(/^http/, 'ws')}/rooms/${code}/socket`;
      const seats = await Promise.all(
        tokens.map((token) => new Seat(address, token, half).opened),
      );
      const first = seats[0].last.d.view.turn;
      for (const seat of seats) seat.first = first;
      const open = new Set(seats);
      for (const seat of seats) {
        seat.ws.on('close', () => { if (open.delete(seat) && !open.size) resting.push(tokens); });
      }
      return first ? [seats[1], seats[0]] : seats;
    },
    connect: async (room, seat) => room[seat],
  };
}

module.exports = { create };
