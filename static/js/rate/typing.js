// Digits on the rating screen: used at once, or held for the sheet that they were typed for (burst.js).

import { Burst } from "./burst.js";
import { text } from "./texts.js";

const REFLEX = 600; // ms within which a digit is no second thought about the one before
const FRAME = 16; // ms

export class Typing {
  /** rate(question, value) and enter(question) answer as a key does; say(words): show a hint. */
  constructor({ course, rate, enter, say }) {
    Object.assign(this, { course, rate, enter, say });
    this.burst = new Burst({
      state: () => this.state(), room: () => this.room(), use: (keys) => this.use(keys),
      changed: (what, n, why) => this.changed(what, n, why),
    });
  }

  state() {
    const { leaving, visiting, fresh } = this.course;
    if (document.querySelector("dialog:modal")) return "other";
    return leaving || visiting || fresh ? "coming" : "ready";
  }

  room() {
    const { sheet } = this.course;
    return sheet.current.number ? Infinity : sheet.path().length;
  }

  /** Answer the questions that keys typed ahead were meant for. */
  use(keys) {
    const { steps, used, misfit } = this.course.sheet.plan(keys);
    if (misfit) return notOnScale(...misfit);
    for (const { question, value, typed, whole } of steps) {
      if (!question.number) this.rate(question, value);
      else if (typed) question.type(typed);
      if (whole) this.enter(question);
    }
    return used;
  }

  /** Keys were pressed too early: say what became of them. */
  changed(what, n, why) {
    const { burst, course, say } = this;
    if (what === "held" && course.leaving) say(text("keys wait"));
    if (what === "used" && burst.group) say(text("keys used", { n }));
    // Whoever has typed on goes on: there is nothing to wait for.
    if (what === "used" && burst.presses.length > 1 && course.fresh) course.settle(FRAME);
    if (what === "slip") say(text("too soon"));
    if (what !== "refused") return;
    if (course.leaving) say(text("on its way"));
    else say(why ? text("keys stopped", { why }) : text("keys refused"));
  }

  /** Digits that follow at once are not meant for what `why` tells. */
  stop(why) {
    this.burst.stop({ pause: REFLEX, why });
  }

  digit(key, at) {
    if (!this.burst.press(key, at)) return undefined;
    const question = this.course.sheet.current;
    if (question.number) return question.type(key);
    const value = question.valueOf(key);
    if (value !== null) return this.rate(question, value);
    const why = notOnScale(key, question);
    this.stop(why);
    return this.say(why);
  }
}

function notOnScale(key, question) {
  return text("not on scale", { key, name: question.about.name });
}
