// The queue of unsent answers.
//
// An answer is written to the browser's storage before it is sent and leaves it only when the
// server has answered with the same UUID, value and version. Entries are sealed: their names begin
// with the annotator's key, and a queue reads and sends those of its own annotator alone.
//
// One entry per place (sheet/substitution/scale):
//   {id, base, answer, tried, about, next, conflict}
// `id` belongs to `answer` for good. `next` is a newer answer that waits until the outcome of a
// request that may have reached the server is known. `conflict` is a refusal that the annotator
// has to decide about. `about` says in words which place it is.

const WAIT = [500, 1000, 2000, 4000, 8000, 15000];
const TIMEOUT = 10000;

/** How long to wait after so many failures: growing, and not the same for everybody. */
export function pause(failures) {
  return WAIT[Math.min(Math.max(failures, 1), WAIT.length) - 1] * (0.75 + Math.random() / 2);
}

export class Queue {
  /**
   * annotator: key of the voice; api: address the routes start with; storage: a Web Storage.
   * tell(event, detail) is called with: change, saved, conflict, login, stranger.
   */
  constructor({ annotator, api, storage, tell }) {
    this.prefix = `paraanno:${annotator}:`;
    this.annotator = annotator;
    this.api = api;
    this.storage = storage;
    this.tell = tell;
    this.busy = new Set(); // places with a request in flight
    this.memory = new Map(); // entries that the storage did not take
    this.mine = new Map(); // what this tab gave and has not seen confirmed
    this.failures = 0; // rounds without an answer
    this.halted = ""; // "login" or "stranger": nothing is sent
    this.timer = 0;
    this.turn = 0;
    this.channel = globalThis.BroadcastChannel ? new BroadcastChannel(this.prefix) : null;
    if (this.channel) this.channel.onmessage = ({ data }) => this.heard(data);
  }

  // --- storage -------------------------------------------------------------------------------

  read(place) {
    if (this.memory.has(place)) return this.memory.get(place);
    const text = this.storage.getItem(this.prefix + place);
    return text === null ? null : JSON.parse(text);
  }

  write(place, entry) {
    try {
      this.storage.setItem(this.prefix + place, JSON.stringify(entry));
      this.memory.delete(place);
    } catch {
      // The storage is full or forbidden: keep it in memory, and warn before the page is left.
      this.memory.set(place, entry);
    }
  }

  remove(place) {
    this.memory.delete(place);
    this.storage.removeItem(this.prefix + place);
  }

  places() {
    const names = new Set(this.memory.keys());
    for (let i = 0; i < this.storage.length; i += 1) {
      const name = this.storage.key(i);
      if (name.startsWith(this.prefix)) names.add(name.slice(this.prefix.length));
    }
    return [...names];
  }

  unsent() {
    return this.places().filter((place) => !this.read(place)?.conflict);
  }

  conflicts() {
    return this.places().filter((place) => this.read(place)?.conflict);
  }

  /** The answer that the annotator last gave at a place, if it is not confirmed yet. */
  pending(place) {
    const entry = this.read(place);
    return entry && (entry.next ?? entry.answer);
  }

  // --- putting in ----------------------------------------------------------------------------

  /** Take an answer {value, reason, comment}; `base` is the last confirmed version. */
  put(place, answer, base, about) {
    this.mine.set(place, { answer, base, about });
    const entry = this.read(place);
    if (entry && !entry.conflict && (entry.tried || this.busy.has(place))) {
      this.write(place, { ...entry, next: answer });
    } else {
      const from = entry && !entry.conflict ? entry.base : base;
      this.write(place, { id: uuid(), base: from, answer, tried: false, about });
    }
    this.tell("change");
    this.send(place);
  }

  /** Settle a conflict: "mine" is saved over the stored version, "stored" drops mine. */
  settle(place, choice) {
    const entry = this.read(place);
    if (!entry?.conflict) return;
    this.remove(place);
    this.mine.delete(place);
    if (choice === "mine") {
      this.put(place, entry.answer, entry.conflict.stored?.version ?? 0, entry.about);
    } else this.channel?.postMessage({ place, dropped: true });
    this.tell("change");
  }

  // --- other tabs ----------------------------------------------------------------------------

  heard({ place, dropped, id, version, answer }) {
    const mine = this.mine.get(place);
    if (mine && (dropped || sameAnswer(mine.answer, answer))) this.mine.delete(place);
    if (!dropped) this.tell("saved", { place, id, version, answer });
  }

  /** Two tabs wrote at the same moment and this one's answer is gone from the storage: again. */
  heal() {
    for (const [place, { answer, base, about }] of this.mine) {
      if (!this.read(place)) this.put(place, answer, base, about);
    }
  }

  // --- sending -------------------------------------------------------------------------------

  /** Send everything now: at the start, with the network back, after a login. */
  resume() {
    this.halted = "";
    this.failures = 0;
    clearTimeout(this.timer);
    this.timer = 0;
    for (const place of this.unsent()) this.send(place);
  }

  halt(why) {
    if (this.halted) return;
    this.halted = why;
    this.tell(why);
  }

  async send(place) {
    if (this.busy.has(place) || this.halted) return;
    this.busy.add(place);
    let answered = false;
    try {
      answered = await exclusively(this.prefix + place, () => this.attempt(place));
    } finally {
      this.busy.delete(place);
    }
    if (!this.halted) {
      const entry = this.read(place);
      if (!answered) this.retry();
      else if (this.failures) this.resume();
      else if (entry && !entry.conflict) this.send(place);
    }
    this.tell("change");
  }

  /** After a failure one value at a time is tried, in turns; the first success sends the rest. */
  retry() {
    if (this.timer) return;
    this.failures += 1;
    this.timer = setTimeout(() => {
      this.timer = 0;
      const all = this.unsent();
      this.turn += 1;
      if (all.length) this.send(all[this.turn % all.length]);
    }, pause(this.failures));
  }

  /** One try; false where it has to be repeated. */
  async attempt(place) {
    const entry = this.read(place);
    if (!entry || entry.conflict) return true;
    this.write(place, { ...entry, tried: true });
    this.tell("change");
    const [sheet, substitution, scale] = place.split("/");
    const path = `sheets/${sheet}/judgments/${substitution}/${scale}`;
    const body = { id: entry.id, annotator: this.annotator, base_version: entry.base, ...entry.answer };
    const { status, data } = await this.request("PUT", path, body);
    const echoed = status === 200 && data.id === entry.id && sameAnswer(data, entry.answer);
    if (echoed && Number.isInteger(data.version)) return this.confirmed(place, entry, data.version);
    return this.refused(place, entry, status, data);
  }

  confirmed(place, entry, version) {
    const { answer } = entry;
    const now = this.read(place);
    if (now?.id === entry.id && now.next && !sameAnswer(now.next, answer)) {
      this.write(place, { ...now, id: uuid(), base: version, answer: now.next, tried: false, next: undefined });
    } else if (now?.id === entry.id) this.remove(place);
    if (sameAnswer(this.mine.get(place)?.answer, answer)) this.mine.delete(place);
    const saved = { place, id: entry.id, version, answer };
    this.channel?.postMessage(saved);
    this.tell("saved", saved);
    return true;
  }

  refused(place, entry, status, data) {
    if (status === 401) this.halt("login");
    else if (data?.code === "wrong_annotator") this.halt("stranger");
    else if ([400, 404, 409].includes(status) && data?.code && data.code !== "conflict") {
      // What was asked for is stored already, put there by another tab: nothing to decide.
      if (data.stored && sameAnswer(data.stored, entry.answer)) {
        return this.confirmed(place, entry, data.stored.version);
      }
      const now = this.read(place) ?? entry;
      const conflict = { code: data.code, detail: data.detail, stored: data.stored ?? null };
      this.write(place, { ...now, answer: now.next ?? now.answer, next: undefined, conflict });
      this.tell("conflict", { place });
      return true;
    }
    return false;
  }

  /** One request; status 0 stands for no answer, a redirect, or an answer that is no JSON. */
  async request(method, path, body, options = {}) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), TIMEOUT);
    try {
      const answer = await fetch(this.api + path, {
        ...options, method, redirect: "manual", credentials: "same-origin", signal: stop.signal,
        headers: { "Content-Type": "application/json", "X-CSRFToken": cookie("csrftoken") },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const kind = answer.headers.get("Content-Type") ?? "";
      if (!kind.includes("json")) return { status: 0, data: null };
      return { status: answer.status, data: await answer.json() };
    } catch {
      return { status: 0, data: null };
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether two answers say the same. */
export function sameAnswer(one, other) {
  return Boolean(one && other) && one.value === other.value
    && (one.reason ?? "") === (other.reason ?? "") && (one.comment ?? "") === (other.comment ?? "");
}

function cookie(name) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

// randomUUID exists on https and localhost only; an instance in a local network may have neither.
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

// Two tabs of one browser take turns; where locks are lacking the UUID still keeps saves single.
function exclusively(name, work) {
  return navigator.locks ? navigator.locks.request(name, work) : work();
}
