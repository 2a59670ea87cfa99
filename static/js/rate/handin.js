// Complete sheets that wait to be submitted while the annotator works on later ones.
//
// A sheet's key is on the disk (store.js) until the server has accepted it. It is sent once every
// answer on it is confirmed.

import { pause } from "./queue.js";

const MOST = 50; // a sheet that falls out is offered again, complete as it is

export class HandIn {
  /**
   * queue; annotator: the annotator's key; store: its sheets by key; taken(key): the server accepted
   * it; refused(key, data): the server refused it, and it is not sent again.
   */
  constructor({ queue, annotator, store, taken, refused }) {
    Object.assign(this, { queue, annotator, store, taken, refused });
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
    const open = this.queue.places();
    for (const key of this.list) {
      if (!this.queue.halted && !open.some((place) => place.startsWith(`${key}/`))) this.send(key);
    }
  }

  async send(key) {
    if (this.busy.has(key)) return;
    this.busy.add(key);
    const body = { annotator: this.annotator, state: "done", next: false };
    const { status, data } = await this.queue.request("PUT", `sheets/${key}/state`, body);
    this.busy.delete(key);
    if (!this.list.includes(key)) return;
    if (status === 200) {
      this.failures = 0;
      this.drop(key);
      this.taken(key);
    } else if (status === 401) this.queue.halt("login");
    else if (data?.code === "wrong_annotator") this.queue.halt("stranger");
    else if (status >= 400 && status < 429 && data?.code) {
      this.drop(key);
      this.refused(key, data);
    } else {
      this.failures += 1;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.run(), pause(this.failures));
    }
  }
}
