// The queue of unsent answers.
//
// An answer is on the disk (store.js) before it is sent and leaves it only when the server has
// confirmed the same UUID, value and version. What is given on a sheet within a moment goes together,
// with the handing in where that is asked (`whole`); each answer is confirmed or refused by itself. Entries belong to one annotator: they are stored under
// the annotator's key, and a queue reads and sends only those of its annotator.
//
// One entry per place (sheet/substitution/scale):
//   {id, base, answer, tried, about, next, conflict}
// `id` always belongs to `answer`. `next` is a newer answer that waits for the outcome of a request
// that may have reached the server. `conflict` is a refusal that needs the annotator's decision.
// `about` describes the place in words.

const WAIT = [500, 1000, 2000, 4000, 8000, 15000];
const TIMEOUT = 10000;
const LATEST = 60; // seconds; the longest pause that the site may ask for
const GATHER = 250; // ms in which answers on one sheet wait for each other
const MOST = 500; // answers of one request
const NOTHING = { status: 0, data: null };

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
    this.flying = new Map(); // sheet: its last request
    this.gathering = new Map(); // sheet: the timer after which its answers are sent
    this.mine = new Map(); // what this tab gave and has not seen confirmed
    this.failures = 0; // rounds without an answer
    this.overloaded = false; // the site asked to come back later, and has answered nothing since
    this.later = 0; // when to come back
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

  /** The places on a sheet that have an unconfirmed answer. */
  on(sheet) {
    return this.places().filter((place) => sheetOf(place) === sheet);
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
    this.gather(sheetOf(place));
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
    for (const sheet of new Set(this.unsent().map(sheetOf))) this.whole(sheet);
  }

  /** The milliseconds for which the site still asks to be left alone. */
  get wait() {
    return Math.max(0, this.later - performance.now());
  }

  /** How long to wait after so many failures, and as long as the site asks for. */
  pause(failures) {
    return Math.max(pause(failures), this.wait);
  }

  halt(why) {
    if (this.halted) return;
    this.halted = why;
    this.tell(why);
  }

  /** Send what waits on a sheet, with what is given in the next moment. */
  gather(sheet) {
    if (this.gathering.has(sheet)) return;
    this.gathering.set(sheet, setTimeout(() => this.whole(sheet), GATHER));
  }

  /**
   * Send what waits on a sheet now, after the request that is on its way. `ask` ({state, next,
   * beside}) hands it in and gets the next one. Resolves with {status, data}; status 0 is no answer,
   * or nothing to send.
   */
  async whole(sheet, ask = null) {
    clearTimeout(this.gathering.get(sheet));
    this.gathering.delete(sheet);
    const before = this.flying.get(sheet);
    const turn = (async () => {
      await before;
      return exclusively(this.prefix + sheet, () => this.exchange(sheet, ask));
    })();
    const landed = turn.catch(() => null);
    this.flying.set(sheet, landed);
    try {
      return await turn;
    } finally {
      if (this.flying.get(sheet) === landed) this.flying.delete(sheet);
      this.tell("change");
    }
  }

  /** After a failure, retry one sheet at a time, in turn; the first success sends the rest. */
  retry() {
    if (this.timer) return;
    this.failures += 1;
    this.timer = setTimeout(() => {
      this.timer = 0;
      const all = this.unsent();
      this.turn += 1;
      if (all.length) this.whole(sheetOf(all[this.turn % all.length]));
    }, this.pause(this.failures));
  }

  async exchange(sheet, wish) {
    const open = this.on(sheet);
    const places = open.filter((place) => !this.read(place).conflict).slice(0, MOST);
    // The request before this one may have left something to decide: the sheet is not handed in.
    const ask = wish?.state === "done" && open.some((place) => this.read(place).conflict) ? null : wish;
    if (this.halted || (!places.length && !ask)) return NOTHING;
    if (this.wait) {
      if (places.length) this.retry();
      return NOTHING;
    }
    for (const place of places) this.busy.add(place);
    let [answer, done] = [NOTHING, false];
    try {
      await Promise.all(places.map((place) => this.store.update(place, tried)));
      // Another tab may have sent one meanwhile.
      const sent = places.map((place) => [place, this.read(place)]).filter(([, entry]) => entry && !entry.conflict);
      if (!sent.length && !ask) return NOTHING;
      this.tell("change");
      answer = await this.ask(sheet, sent, ask);
      const again = this.failures > 0 && answer.status === 200;
      if (again) this.failures = 0;
      done = await this.settled(sheet, sent, answer);
      if (again && done) this.resume();
    } finally {
      for (const place of places) this.busy.delete(place);
    }
    if (this.halted) return answer;
    if (!done) this.retry();
    else if (this.on(sheet).some((place) => !this.read(place).conflict)) this.gather(sheet);
    return answer;
  }

  /** One request with these answers. */
  ask(sheet, sent, ask, options) {
    const answers = sent.map(([place, entry]) => {
      const [, substitution, scale] = place.split("/");
      return { id: entry.id, substitution, scale, base_version: entry.base, ...entry.answer };
    });
    const path = `sheets/${sheet}${ask?.next ? "?fragment=1" : ""}`;
    return this.request("PUT", path, { annotator: this.annotator, answers, ...ask }, options);
  }

  /** Confirm or refuse each answer; false if some must be sent again. */
  async settled(sheet, sent, { status, data }) {
    if (status === 200 && Array.isArray(data.answers)) {
      const told = new Map(data.answers.map((one) => [one.id, one]));
      return sent.map(([place, entry]) => this.echoed(place, entry, told.get(entry.id))).every(Boolean);
    }
    if (status === 400 && sent.length > 1) {
      // One of them cannot be read: it must not hold back the others.
      let all = true;
      for (const one of sent) all = (await this.settled(sheet, [one], await this.ask(sheet, [one], null))) && all;
      return all;
    }
    const refused = sent.map(([place, entry]) => this.refused(place, entry, status, data));
    return refused.length ? refused.every(Boolean) : status >= 200 && status < 429;
  }

  echoed(place, entry, told) {
    if (told?.code) return this.refused(place, entry, 409, told);
    if (!told || !sameAnswer(told, entry.answer) || !Number.isInteger(told.version)) return false;
    return this.confirmed(place, entry, told.version);
  }

  /** The page goes: what is being gathered is sent without waiting; the disk has it, too. */
  leave() {
    for (const [sheet, timer] of this.gathering) {
      clearTimeout(timer);
      const places = this.on(sheet).filter((place) => !this.read(place).conflict && !this.busy.has(place)).slice(0, MOST);
      for (const place of places) this.store.update(place, tried);
      if (places.length && !this.halted) this.ask(sheet, places.map((place) => [place, this.read(place)]), null, { keepalive: true });
    }
    this.gathering.clear();
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

  /** Note whether the site asks to come back later; all who are asked must not come together. */
  heed({ status, headers }) {
    const after = Number(headers.get("Retry-After"));
    const busy = status === 503 && after > 0;
    if (busy) this.later = performance.now() + Math.min(after, LATEST) * 1000 * (1 + Math.random() / 2);
    else if (status === 200) this.later = 0;
    if (busy || status === 200) this.overloaded = busy;
  }

  /** Send a request; status 0 means no response, a redirect, or a response that is not JSON. */
  async request(method, path, body, options = {}) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), TIMEOUT);
    try {
      const answer = await fetch(this.api + path, {
        ...options, method, redirect: "manual", credentials: "same-origin", signal: stop.signal,
        headers: {
          "Content-Type": "application/json", "X-CSRFToken": cookie("csrftoken"),
          "X-Paraanno-Patience": String(TIMEOUT), // What waits for longer need not be carried out.
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      this.heed(answer);
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

const sheetOf = (place) => place.split("/", 1)[0];
const tried = (entry) => (entry && !entry.conflict ? { ...entry, tried: true } : entry);

/** Whether two answers are equal. */
export function sameAnswer(one, other) {
  return Boolean(one && other) && one.value === other.value
    && (one.reason ?? "") === (other.reason ?? "") && (one.comment ?? "") === (other.comment ?? "");
}

function cookie(name) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

// A UUID of version 7 (RFC 9562): it begins with the time in milliseconds, so that saves of one hour
// stand side by side in the database's index, which random ones would touch all over.
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const time = Date.now().toString(16).padStart(12, "0");
  const variant = "89ab"[bytes[8] >> 6];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}`
    + `-${hex.slice(20)}`;
}

// Tabs of one browser take turns; without the Locks API the UUID still makes saves idempotent.
function exclusively(name, work) {
  return navigator.locks ? navigator.locks.request(name, work) : work();
}
