// Three short tones, made here: my turn, my move, the end. Silent until the first press on the
// page, as browsers want it, and where somebody has switched them off.

const KEPT = "motherlode.sound";
const RUNG = "motherlode.rung";
const LOUD = 0.12;
/** Each: frequency in Hz, when it begins and how long it lasts in seconds, and its form. */
const TONES = {
  turn: [[659, 0, 0.22, "sine"], [880, 0.13, 0.4, "sine"]],
  move: [[330, 0, 0.07, "triangle"]],
  end: [[523, 0, 0.25, "sine"], [659, 0.15, 0.25, "sine"], [784, 0.3, 0.6, "sine"]],
};
let audio = null;
let silent = false; // where nothing can be stored

export function isOn() {
  try {
    return localStorage.getItem(KEPT) !== "off";
  } catch {
    return !silent;
  }
}

export function switchSound(on) {
  silent = !on;
  try {
    localStorage.setItem(KEPT, on ? "on" : "off");
  } catch {
    // It counts for this page then.
  }
  if (on) unlock();
}

export function play(name) {
  if (!audio || !isOn()) return;
  if (audio.state !== "running") audio.resume().catch(() => {});
  for (const [frequency, from, seconds, form] of TONES[name]) {
    const begin = audio.currentTime + from;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = form;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(name === "move" ? LOUD / 2 : LOUD, begin + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + seconds);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + seconds);
  }
}

/** Plays a tone for something that all tabs hear of at once: one of them does. */
export async function playOnce(name, what) {
  const claim = () => {
    if (localStorage.getItem(RUNG) === what) return;
    localStorage.setItem(RUNG, what);
    play(name);
  };
  try {
    await (navigator.locks ? navigator.locks.request(RUNG, claim) : claim());
  } catch {
    play(name);
  }
}

function unlock() {
  if (!isOn() || navigator.userActivation?.isActive === false) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume().catch(() => {});
}

for (const press of ["click", "pointerup", "keydown"]) document.addEventListener(press, unlock, true);
