// The queue of unsent answers.
//
// An answer is on the disk (store.js) before it is sent and leaves it only when the server has
// confirmed the same UUID, value and version. Entries belong to one annotator: they are stored under
// the annotator's key, and a queue reads and sends only those of its annotator.
//
// One entry per place (sheet/substitution/scale):
//   {id, base, answer, tried, about, next, conflict}
// `id` always belongs to `answer`. `next` is a newer answer that waits for the outcome of a request
// that may have reached the server. `conflict` is a refusal that needs the annotator's decision.
// `about` describes the place in words.

const WAIT = [500, 1000, 2000, 4000, 8000, 15000];
const TIMEOUT = 10000;

/** Exponential backoff with jitter, by number of failures. */
export function pause(failures) {
  return WAIT[Math.min(Math.max(failures, 1), WAIT.length) - 1] * (0.75 + Math.random() / 2);
}

export class Queue {
  /**
   * annotator: the annotator's key; api: prefix of the routes; store: its entries by place.
   * tell(event, detail) is called with: change, saved, conflict, login, stranger, elsewhere (another
   * tab has changed an entry).
   */
  constructor({ annotator, api, store, tell }) {
    this.prefix = `paraanno:${annotator}:`;
    this.annotator = annotator;
    this.api = api;
    this.store = store;
    this.tell = tell;
    store.heard = () => tell("elsewhere");
    this.busy = new Set(); // places with a request in flight
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
    return this.store.get(place);
  }

  places() {
    return this.store.places();
  }

  unsent() {
    return this.places().filter((place) => !this.read(place)?.conflict);
  }

  conflicts() {
    return this.places().filter((place) => this.read(place)?.conflict);
  }

  /** The annotator's latest unconfirmed answer at a place. */
  pending(place) {
    const entry = this.read(place);
    return entry && (entry.next ?? entry.answer);
  }

  // --- adding --------------------------------------------------------------------------------

  /** Add an answer {value, reason, comment}; `base` is the last confirmed version. */
  put(place, answer, base, about) {
    this.mine.set(place, { answer, base, about });
    const [id, sending] = [uuid(), this.busy.has(place)];
    this.store.update(place, (entry) => {
      if (entry && !entry.conflict && (entry.tried || sending)) return { ...entry, next: answer };
      return { id, base: entry && !entry.conflict ? entry.base : base, answer, tried: false, about };
    });
    this.tell("change");
    this.send(place);
  }

  /** Settle a conflict: "mine" is saved over the stored version, "stored" drops mine. */
  settle(place, choice) {
    const entry = this.read(place);
    if (!entry?.conflict) return;
    this.store.update(place, (now) => (now?.conflict ? null : now));
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

  /** Two tabs wrote concurrently and this tab's answer was overwritten: write it again. */
  heal() {
    for (const [place, { answer, base, about }] of this.mine) {
      if (!this.read(place)) this.put(place, answer, base, about);
    }
  }

  // --- sending -------------------------------------------------------------------------------

  /** Send everything now: at startup, when the network returns, after a login. */
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

  /** After a failure, retry one entry at a time, in turn; the first success sends the rest. */
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

  /** Send once; false if it must be retried. */
  async attempt(place) {
    await this.store.update(place, (now) => (now && !now.conflict ? { ...now, tried: true } : now));
    const entry = this.read(place);
    if (!entry || entry.conflict) return true;
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
    const id = uuid();
    this.store.update(place, (now) => {
      if (now?.id !== entry.id) return now;
      if (!now.next || sameAnswer(now.next, answer)) return null;
      return { ...now, id, base: version, answer: now.next, tried: false, next: undefined };
    });
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
      // Another tab has already stored the same answer: no conflict.
      if (data.stored && sameAnswer(data.stored, entry.answer)) {
        return this.confirmed(place, entry, data.stored.version);
      }
      const conflict = { code: data.code, detail: data.detail, stored: data.stored ?? null };
      this.store.update(place, (stored) => {
        const now = stored ?? entry;
        return { ...now, answer: now.next ?? now.answer, next: undefined, conflict };
      });
      this.tell("conflict", { place });
      return true;
    }
    return false;
  }

  /** Send a request; status 0 means no response, a redirect, or a response that is not JSON. */
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

/** Whether two answers are equal. */
export function sameAnswer(one, other) {
  return Boolean(one && other) && one.value === other.value
    && (one.reason ?? "") === (other.reason ?? "") && (one.comment ?? "") === (other.comment ?? "");
}

function cookie(name) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

// randomUUID exists on https and localhost only; an instance in a local network may use neither.
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

// Tabs of one browser take turns; without the Locks API the UUID still makes saves idempotent.
function exclusively(name, work) {
  return navigator.locks ? navigator.locks.request(name, work) : work();
}
