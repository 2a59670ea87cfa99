// Keys that are pressed before their question can be seen.
//
// Fast annotators type across the border between two sheets. A key that comes early is held, in
// order, until the sheet has been shown for a moment, and then answers the question it was meant
// for. A key is never dropped while the next one is used: each later one would answer the question
// before its own. Where it is unclear what the keys mean, all of them are refused, and so are those
// that follow without a pause:
// - one key alone that repeats the last one of the sheet before: a double press;
// - more keys after a press that was too quick for their rhythm;
// - the sheet does not come, or another one than the next;
// - a key does not fit its question.

const FOLLOW = 600; // ms within which a key belongs to the burst of the one before
const PAUSE = 1200; // ms without a key that end a burst
const LOADING = 4000; // ms that keys wait for a sheet that is loading
const CHATTER = 30; // ms between two keys that one stroke has hit
const STEADY = 0.6; // a press after a shorter share of the usual gap may be a double press
const SLACK = 25; // ms by which the times of presses vary
const MOST = 200; // keys that are held

export const middle = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

export class Burst {
  /**
   * state(): "ready" if the current question can be answered; "coming" while the next sheet is
   * loading or has just appeared; "other" if keys would be meant for something else. room(): how
   * many keys complete the sheet. use(keys): answers questions with them; returns how many were
   * used, or a sentence why none was. changed(what, n, why): n keys are "held", "used" or
   * "refused", or a "slip" was ignored.
   */
  constructor({ state, room, use, changed }) {
    Object.assign(this, { state, room, use, changed });
    this.presses = []; // held: {key, at, gap, again, steady}
    this.last = null; // the last press
    this.gaps = []; // between the last presses of this burst
    this.until = 0; // the time until which keys are refused
    this.why = ""; // the sentence why
    this.timer = 0;
    this.group = null; // names the answers that one undo takes back
    this.how = "next"; // how the sheet came
  }

  /** Whether a key pressed at `at` has to wait, or is refused. */
  early(at) {
    return at < this.until || this.presses.length > 0 || this.state() !== "ready";
  }

  /** A key is pressed at `at`; returns whether it can be used at once. */
  press(key, at) {
    const press = this.note(key, at);
    if (press.gap > FOLLOW) this.group = null;
    if (at < this.until) return this.refuse();
    this.why = "";
    if (!this.early(at)) return true;
    this.presses.push(press);
    if (this.state() === "other" || this.presses.length > MOST) return this.refuse();
    this.changed("held", this.presses.length, "");
    this.decide();
    return false;
  }

  /** Keys that are used at once count for the rhythm, too. */
  note(key, at) {
    const gap = this.last ? at - this.last.at : Infinity;
    if (gap > PAUSE) this.gaps = [];
    const usual = this.gaps.length ? middle(this.gaps) : Infinity;
    const press = { key, at, gap, again: this.last?.key === key, steady: gap >= usual * STEADY - SLACK };
    if (gap <= PAUSE) this.gaps = [...this.gaps, gap].slice(-4);
    this.last = press;
    return press;
  }

  /** Use what is held, refuse it, or wait for what follows. */
  decide() {
    clearTimeout(this.timer);
    const [head] = this.presses;
    if (!head) return;
    const state = this.state();
    if (state === "other") this.refuse();
    else if (state === "coming") this.wait(this.last.at + LOADING);
    else if (this.doubtful()) this.wait(head.at + FOLLOW);
    else if (head.again && !head.steady) this.refuse();
    else this.give();
  }

  /** One key alone: a double press, a stroke that hit two keys, or nothing that was typed on. */
  doubtful() {
    const [head, follower] = this.presses;
    if (!head || follower) return false;
    const whole = this.how === "next" && this.room() === 1;
    return head.again || head.gap < CHATTER || head.gap > PAUSE || whole;
  }

  give() {
    const { presses } = this;
    this.presses = [];
    this.group = `${performance.timeOrigin + presses[0].at}`;
    const used = this.use(presses.map(({ key }) => key));
    if (typeof used === "string") {
      this.why = used;
      this.presses = presses;
      this.refuse();
      return;
    }
    this.presses = presses.slice(used);
    this.changed("used", used, "");
    // Everything is answered, and no other sheet comes.
    if (this.presses.length && this.state() === "ready") this.refuse();
  }

  wait(until) {
    this.timer = setTimeout(() => this.refuse(), Math.max(0, until - performance.now()));
  }

  /** Refuse what is held, and what follows without a pause. */
  refuse() {
    clearTimeout(this.timer);
    const { presses } = this;
    const slip = this.doubtful() && !this.why;
    this.presses = [];
    this.group = null;
    if (slip) this.until = Math.max(this.until, presses[0].at + FOLLOW);
    else this.stop();
    this.changed(slip ? "slip" : "refused", presses.length, this.why);
    return false;
  }

  /** Refuse keys until none has come for `pause`; while the sheet is coming, until it is there. */
  stop({ pause = PAUSE, why = this.why } = {}) {
    const end = this.state() === "coming" ? Infinity : (this.last?.at ?? 0) + pause;
    this.until = Math.max(this.until, end);
    this.why = why;
  }

  /** Something else is done: what is held is not used. */
  drop() {
    if (this.presses.length) this.refuse();
  }

  /** Take back what is held; returns whether anything was. */
  undo() {
    const any = this.presses.length > 0;
    clearTimeout(this.timer);
    this.presses = [];
    return any;
  }

  /**
   * A sheet is shown: the one that keys were held for ("next", "undo"), one that the annotator
   * went to ("chosen"), or one that the server has not taken ("refused").
   */
  arrive(how) {
    this.group = null;
    this.how = how;
    if (how === "refused") this.until = performance.now() + FOLLOW;
    if (how === "chosen" || how === "refused") this.drop();
    this.resume();
  }

  /** No other sheet comes. */
  stay() {
    this.drop();
    this.resume();
  }

  /** Nothing is coming any more. */
  resume() {
    if (this.until !== Infinity) return;
    this.until = (this.last?.at ?? 0) + PAUSE;
    this.changed("refused", 0, this.why);
  }
}
