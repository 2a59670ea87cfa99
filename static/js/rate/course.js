// Navigation between sheets: show, prefetch, advance, go back.

import { middle } from "./burst.js";
import { HandIn } from "./handin.js";
import { SheetView } from "./sheet.js";
import { text } from "./texts.js";

const byId = (id) => document.getElementById(id);

const COUNT = 1000; // ms: counting what is left takes longer than a save
const SELDOM = 60000; // ms after a sheet is handed in, which the page counts itself
const MANY = 20; // sheets left: with fewer it matters soon what others take
const AHEAD = 150; // ms after a sheet appeared, so that it is drawn first
const FRESH = 250; // ms in which a key may still be meant for the last sheet
const STOCK = 4; // sheets that are fetched ahead, where lease and pace allow
const GUESS = 120; // seconds a sheet until the annotator's own pace is known

export class Course {
  /**
   * queue; sheets: the store of complete sheets; pages: the kept pages; annotator: the annotator's key;
   * campaign: slug; lease: minutes for which a sheet is held; progress: sheets done and open, texts
   * done, and left: sheets that nobody holds and this annotator may get; start: address to go to when nothing is left; shown(sheet, how): a sheet is
   * displayed (`visit` has the words for how); settled(): it takes digits; stayed(): another one was
   * to come and does not; skipped(key): a sheet was given back; changed(): redraw the state;
   * say(words): show a hint.
   */
  constructor({ queue, sheets, pages, annotator, campaign, lease, progress, start, shown, settled, stayed, skipped, changed, say }) {
    Object.assign(this, { queue, pages, annotator, campaign, lease, start, shown, settled, stayed, skipped, changed, say });
    this.handIn = new HandIn({
      queue, annotator, store: sheets,
      taken: (key, data) => { this.countSeldom(); changed(); this.follow(data); },
      refused: (key, data) => { this.notTaken(key, data); this.fetchNext(); },
      // Each time, since the answer tells when a step comes first.
      beside: () => (this.sheet.done || this.none ? null : this.held()),
    });
    this.box = byId("sheet");
    this.sheet = null;
    this.stock = []; // the sheets after this one, in order: {key, url, html, at}
    this.fetching = false;
    this.none = false; // the server had no further sheet to fetch ahead
    this.progress = { ...progress };
    this.paces = []; // seconds of the last sheets
    this.began = 0; // when the sheet was shown
    this.ahead = 0; // the timer after which the next one is fetched
    this.settling = 0;
    this.leaving = false; // the sheet is complete; the next is fetched once everything is confirmed
    this.visiting = false; // a sheet that the annotator goes back to is on its way
    this.asking = false; // that request is on its way
    this.turn = 0; // grows with what the annotator does: an answer from before is not followed
    this.tries = 0;
  }

  /** The annotator is active: do not advance from this sheet automatically. */
  stay() {
    this.turn += 1;
    this.leaving = false;
  }

  /** Start with the sheet in the page. */
  begin() {
    const { sheet: key } = this.box.querySelector("form").dataset;
    history.replaceState({ key }, "");
    this.pages.keep({ key, html: this.box.innerHTML });
    this.show();
  }

  show(how = "next") {
    this.sheet = new SheetView(this.box.querySelector("form"));
    this.stay();
    this.settle();
    this.handIn.drop(this.sheet.key); // They are at it again.
    this.stock = this.stock.filter(({ key }) => key !== this.sheet.key);
    this.began = performance.now();
    this.none = false;
    clearTimeout(this.ahead);
    this.ahead = 0;
    this.fetchLater(0);
    for (const question of this.sheet.questions) {
      const pending = this.queue.pending(question.place);
      if (!pending) continue;
      question.show(pending);
      question.mark(this.queue.read(question.place).conflict ? "conflict" : "waiting");
    }
    this.shown(this.sheet, how);
    this.sheet.go(this.sheet.missing()[0] ?? this.sheet.questions[0]);
  }

  /** Hold digits for a moment (`wait`), or use them from now on. */
  settle(wait = FRESH) {
    const { form } = this.sheet;
    clearTimeout(this.settling);
    form.toggleAttribute("data-fresh", wait > 0);
    if (wait) this.settling = setTimeout(() => this.settle(0), wait);
    else this.settled();
  }

  get fresh() {
    return this.sheet.form.hasAttribute("data-fresh");
  }

  /** The next sheet, if it is here. */
  get next() {
    return this.stock[0] ?? null;
  }

  /** The keys of the sheets after this one, in order. */
  stocked() {
    return this.stock.map(({ key }) => key);
  }

  /** The keys of the sheets that the page has. */
  held() {
    return [this.sheet.key, ...this.stocked()];
  }

  /**
   * How many sheets are fetched ahead: as many as can be judged in half of their lease. Of the last
   * ones of a campaign half are left to others.
   */
  get most() {
    const pace = middle(this.paces) ?? GUESS;
    const most = Math.min(STOCK, Math.floor((this.lease * 30) / pace), Math.ceil(this.progress.left / 2));
    return Math.max(1, most);
  }

  /**
   * Fetch sheets ahead, so that the annotator does not wait for them, nor for a connection. Complete
   * sheets are submitted first, because the server may require a step after them.
   */
  async fetchNext() {
    const { sheet } = this;
    const busy = this.ahead || this.fetching || this.handIn.list.length || this.queue.halted;
    if (busy || sheet.done || this.none || this.stock.length >= this.most) return undefined;
    if (this.queue.wait) return this.fetchLater(this.queue.wait);
    this.fetching = true;
    const path = `campaigns/${this.campaign}/claim?fragment=1`;
    const { status, data } = await this.queue.request("POST", path, {
      annotator: this.annotator, beside: this.held(),
    });
    this.fetching = false;
    if (status === 0) for (const kept of await this.pages.ahead()) this.hold(kept);
    if (this.queue.wait) return this.fetchLater(this.queue.wait);
    if (status !== 200) return undefined;
    this.none = !data.sheet;
    return this.follow(data);
  }

  fetchLater(wait) {
    this.ahead ||= setTimeout(() => { this.ahead = 0; this.fetchNext(); }, Math.max(wait, AHEAD));
  }

  /** Keep a sheet ready. */
  hold(next) {
    if ([...this.held(), ...this.handIn.list].includes(next.key)) return;
    this.stock.push({ ...next, at: performance.now() });
    this.progress.left -= 1;
    this.progress.open += 1;
    this.pages.keep(next);
    this.pages.point(this.stocked());
  }

  /** The sheet is left before it is complete: it comes next again. */
  comeBack() {
    const { key, url, done } = this.sheet;
    if (!done) this.stock.unshift({ key, url, html: this.pages.html(key), at: performance.now() });
  }

  /** A sheet was handed in, and the answer may have the next one, or why there is none. */
  follow({ sheet, code }) {
    if (sheet && !this.sheet.done) this.hold(sheet);
    // Where the server requires a step, the sheets that were fetched ahead are for later.
    this.release(code ? 0 : this.most);
    if (!code) this.fetchNext();
  }

  /** Give back the sheets that were fetched ahead, but for the first `keep`. */
  release(keep = 0) {
    const [first, ...beside] = this.stock.splice(keep).map(({ key }) => key);
    if (!first) return;
    const body = { annotator: this.annotator, state: "released", next: false, beside };
    this.queue.request("PUT", `sheets/${first}/state`, body, { keepalive: true });
  }

  swap({ key, url, html, before }, how) {
    this.box.innerHTML = html;
    this.pages.keep({ key, html });
    if (url !== location.pathname) history.pushState({ key }, "", url);
    window.scrollTo(0, 0);
    const back = byId("back");
    back.hidden = !before;
    if (before) back.href = before;
    this.show(how);
  }

  /** Advance if requested; called after each confirmation. */
  goOn() {
    this.handIn.run();
    if (this.leaving) this.finish(this.how);
  }

  /**
   * The sheet is complete (or given back, `how`). If the next one is prefetched, it is shown
   * immediately, and this one is handed in with the answers that wait. Otherwise the same request
   * gets the next one. Giving back waits for confirmations; this is called again after each one.
   */
  async finish(how = { state: "done" }) {
    const { sheet, queue } = this;
    const asks = sheet.missing()[0] ?? sheet.questions.find((one) => one.unfinished);
    const open = how.state === "done" && asks;
    this.how = how;
    const left = this.leaving;
    this.leaving = !open;
    if (open) {
      sheet.go(open);
      return left && this.stayed();
    }
    if (how.state === "done" && this.next && this.current(this.next)) return this.pass();
    const waiting = queue.on(sheet.key);
    const done = how.state === "done";
    // After a failure the queue tries again by itself.
    if (this.asking || (waiting.length && (!done || queue.failures || waiting.some((one) => queue.read(one).conflict)))) return undefined;
    this.asking = true;
    const asked = this.turn;
    const body = { beside: this.handIn.list, ...how };
    const answer = done
      ? await queue.whole(sheet.key, { ...body, next: true })
      : await queue.request("PUT", `sheets/${sheet.key}/state?fragment=1`, { annotator: this.annotator, ...body });
    this.asking = false;
    if (asked === this.turn) return this.submitted(answer, asked);
    return this.goOn();
  }

  /** Whether nobody else can have been given the sheet yet. */
  current({ at }) {
    return performance.now() - at < this.lease * 60000;
  }

  pass() {
    const { sheet, next } = this;
    this.paces = [...this.paces, (performance.now() - this.began) / 1000].slice(-9);
    this.handIn.add(sheet.key);
    this.counted();
    this.say("");
    this.swap({ ...next, before: sheet.url });
    this.pages.point(this.stocked());
    this.handIn.run();
  }

  /** A previous sheet was refused: return to it if the annotator can complete it. */
  notTaken(key, { code, detail }) {
    if (code === "incomplete") this.visit(key, "refused");
    this.count();
    this.say(detail);
    this.changed();
  }

  submitted({ status, data }, asked) {
    const here = this.queue.on(this.sheet.key);
    if (status === 200 && !(data.state === "claimed" && this.how.state === "done")) return this.arrived(data);
    if (status === 200 && !data.code && here.length) return undefined; // Refused one by one.
    if (status === 0 && here.length) return undefined; // The queue tries again by itself.
    if (status === 401) return this.queue.halt("login");
    if (data?.code === "wrong_annotator") return this.queue.halt("stranger");
    if (data?.code === "incomplete") return location.reload();
    if (data?.code && (status === 200 || (status >= 400 && status < 429))) {
      this.leaving = false;
      this.stayed();
      return this.say(data.detail);
    }
    this.tries += 1;
    this.say(text(this.queue.overloaded ? "busy" : "next waits"));
    return setTimeout(() => asked === this.turn && this.goOn(), this.queue.pause(this.tries));
  }

  arrived({ state, sheet, url }) {
    this.tries = 0;
    this.say(state === "skipped" ? text("skipped") : "");
    if (state === "skipped") this.skipped(this.sheet.key);
    if (!sheet) location.href = url ?? this.start;
    else {
      if (state === "done") this.counted();
      this.swap({ ...sheet, before: this.sheet.url });
      if (state === "done") this.countSeldom();
      else this.count();
    }
  }

  /** The sheet on the page is handed in: it counts at once, unless it may have counted before. */
  counted() {
    if (this.sheet.done) return this.count();
    this.progress.done += 1;
    this.progress.open -= 1;
    this.progress.texts += this.sheet.texts;
    return this.tell();
  }

  tell() {
    const { done, open, left, texts } = this.progress;
    byId("texts-done").textContent = texts;
    byId("progress").textContent = text("progress", { done, left: Math.max(0, open + left) });
  }

  /** Ask what is done and left, after a moment. */
  count(wait = COUNT) {
    const at = performance.now() + wait;
    if (this.counting && this.countsAt <= at) return;
    clearTimeout(this.counting);
    this.countsAt = at;
    this.counting = setTimeout(() => this.ask(), wait);
  }

  countSeldom() {
    this.count(this.progress.left > MANY ? SELDOM : COUNT);
  }

  async ask() {
    const { done } = this.progress;
    const { status, data } = await this.queue.request("GET", `campaigns/${this.campaign}/progress/own`);
    this.counting = 0;
    if (status !== 200) return;
    // Counted before or after a sheet that was on its way: only the next answer is sure.
    if (this.progress.done !== done || this.handIn.list.length) return this.count();
    Object.assign(this.progress, data);
    this.tell();
  }

  /**
   * Show one of the annotator's own sheets, which they have "chosen", to which an "undo" leads, or
   * which was "refused"; false if it could not be fetched.
   */
  async visit(key, how) {
    this.visiting = how !== "refused";
    const { status, data } = await this.queue.request("GET", `sheets/${key}?fragment=1`);
    if (status === 401) this.queue.halt("login");
    const sheet = status === 200 ? data.sheet : [0, 503].includes(status) && (await this.pages.find(key));
    this.visiting = false;
    if (!sheet) {
      this.stayed();
      return false;
    }
    this.comeBack();
    this.swap(sheet, how);
    this.count();
    return true;
  }

  /** Take back a sheet that was given back; false if it could not be done. */
  async takeBack(key) {
    const body = { annotator: this.annotator, state: "claimed", next: false };
    this.visiting = true;
    const { status } = await this.queue.request("PUT", `sheets/${key}/state`, body);
    if (status === 200) return this.visit(key, "chosen");
    this.visiting = false;
    this.stayed();
    return false;
  }

  async goTo(key) {
    if (!(await this.visit(key, "chosen"))) this.say(text("not fetched"));
  }
}
