// Complete sheets that wait to be submitted while the annotator works on later ones.
//
// A sheet's key is on the disk (store.js) until the server has accepted it. It goes in one request with
// the answers on it that wait, unless one of them is in conflict; the server takes it only if every
// answer stands.

const MOST = 50; // a sheet that falls out is offered again, complete as it is

export class HandIn {
  /**
   * queue; annotator: the annotator's key; store: its sheets by key; taken(key, data): the server
   * accepted it; refused(key, data): the server refused it, and it is not sent again; beside(): the
   * sheets that the page has if it wants the one after them, else null.
   */
  constructor({ queue, annotator, store, taken, refused, beside = () => null }) {
    Object.assign(this, { queue, annotator, store, taken, refused, beside });
    const name = `done:${annotator}`; // where versions before kept the list
    for (const key of JSON.parse(localStorage.getItem(name) ?? "[]")) this.add(key);
    localStorage.removeItem(name);
    this.busy = new Set();
    this.failures = 0;
    this.timer = 0;
  }

  /** The keys, the oldest first. */
  get list() {
    return this.store.places().sort((one, other) => this.store.get(one).at - this.store.get(other).at);
  }

  /** Whether what waits is not being sent now. */
  get stuck() {
    return Boolean(this.queue.halted || this.queue.failures || this.failures || !navigator.onLine);
  }

  add(key) {
    const at = Date.now();
    this.store.update(key, () => ({ at }));
    for (const old of this.list.slice(0, -MOST)) this.drop(old);
  }

  drop(key) {
    if (this.store.get(key)) this.store.update(key, () => null);
  }

  /** Send what can be sent; called after each confirmation and when the network returns. */
  run() {
    const { queue } = this;
    // After a failure the timers here and of the queue say when to try again.
    if (queue.halted || (this.timer && queue.failures)) return;
    for (const key of this.list) {
      const open = queue.on(key);
      if (!(open.length && queue.failures) && !open.some((place) => queue.read(place).conflict)) this.send(key);
    }
  }

  async send(key) {
    if (this.busy.has(key)) return;
    this.busy.add(key);
    const beside = this.list.length === 1 ? this.beside() : null;
    const ask = { state: "done", next: beside !== null, beside: beside ?? [] };
    const { status, data } = await this.queue.whole(key, ask);
    this.busy.delete(key);
    if (!this.list.includes(key)) return;
    if (status === 200 && data.state === "done") {
      this.failures = 0;
      this.drop(key);
      this.taken(key, data);
    } else if (status === 401) this.queue.halt("login");
    else if (data?.code === "wrong_annotator") this.queue.halt("stranger");
    else if (data?.code && (status === 200 || (status >= 400 && status < 429))) {
      this.drop(key);
      this.refused(key, data);
    } else if (!this.queue.on(key).some((place) => this.queue.read(place).conflict)) {
      this.failures += 1;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => { this.timer = 0; this.run(); }, this.queue.pause(this.failures));
    }
  }
}
