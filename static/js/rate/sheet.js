// One sheet on the page: its questions, the answers chosen, and the current question.

import { reveal } from "./reveal.js";
import { text } from "./texts.js";

const REST = 400; // ms; every step of an arrow key moves a slider

export class SheetView {
  constructor(form) {
    this.form = form;
    this.key = form.dataset.sheet;
    this.url = form.dataset.url;
    this.done = form.dataset.state === "done";
    this.texts = form.querySelectorAll(".substitution").length;
    this.questions = [...form.querySelectorAll(".question")].map((box) => new Question(box, this.key));
    this.current = null;
    this.moved = null; // called with the first question of another substitution
  }

  find(place) {
    return this.questions.find((question) => question.place === place);
  }

  /** The question that an element of the page belongs to. */
  around(element) {
    return this.questions.find((question) => question.box.contains(element));
  }

  missing() {
    return this.questions.filter((question) => question.required && !question.given);
  }

  /** Make a question the current one, which digits answer. */
  go(question, { focus = true } = {}) {
    if (!question) return;
    this.current?.box.classList.remove("current");
    if (this.current?.holder !== question.holder) {
      this.current?.holder.classList.remove("here");
      question.holder.classList.add("here");
      this.moved?.(question);
    }
    this.current = question;
    question.box.classList.add("current");
    if (!focus) return;
    question.focus();
    reveal(question);
  }

  step(by) {
    const at = this.questions.indexOf(this.current);
    this.go(this.questions[Math.max(0, Math.min(this.questions.length - 1, at + by))]);
  }

  /** The next question without an answer after the current one, else the first; or undefined. */
  unrated() {
    const at = this.questions.indexOf(this.current);
    const open = this.missing();
    return open.find((one) => this.questions.indexOf(one) > at) ?? open[0];
  }

  /** The questions that answers without a pause would go to, from the current one on. */
  path() {
    const path = [];
    const open = new Set(this.missing());
    for (let next = this.current; next; next = this.questions[this.questions.indexOf(next) + 1] ?? [...open][0]) {
      path.push(next);
      open.delete(next);
    }
    return path;
  }

  /**
   * Where keys that were typed ahead belong: [{question, value} or {question, typed, whole}], and
   * how many they are; or {misfit: [key, question]}.
   */
  plan(keys) {
    const steps = [];
    let used = 0;
    for (const question of this.path()) {
      if (used === keys.length) break;
      if (question.number) {
        const step = { question, typed: "", whole: false };
        while (used < keys.length && !step.whole) {
          const key = keys[used++];
          if (key === "Enter") step.whole = step.typed !== "";
          else if (key === "Backspace") step.typed = step.typed.slice(0, -1);
          else if (/^[\d.,-]$/.test(key)) step.typed += key;
          else return { misfit: [key, question] };
        }
        if (step.whole && !question.takes(step.typed)) return { misfit: [step.typed, question] };
        steps.push(step);
      } else {
        const key = keys[used++];
        const value = question.valueOf(key);
        if (value === null) return { misfit: [key, question] };
        steps.push({ question, value });
      }
    }
    return { steps, used };
  }

  /** The next open question in order, else the first open one; null if there is none. */
  following(question) {
    const next = this.questions[this.questions.indexOf(question) + 1];
    return next ?? this.missing()[0] ?? null;
  }
}

export class Question {
  constructor(box, sheet) {
    this.box = box;
    this.holder = box.closest(".substitution");
    this.substitution = this.holder.dataset.substitution;
    this.scale = box.dataset.scale;
    this.place = `${sheet}/${this.substitution}/${this.scale}`;
    this.required = "required" in box.dataset;
    this.version = Number(box.dataset.version);
    this.answer = {
      value: box.dataset.value === "" ? null : Number(box.dataset.value),
      reason: box.dataset.reason, comment: box.dataset.comment,
    };
    this.points = [...box.querySelectorAll("input[type=radio]:not([value=none])")];
    this.number = box.querySelector("input[type=number]");
    this.slider = box.querySelector("input[type=range]");
    this.resting = 0; // the timer of a slider that was moved
    if (this.slider) this.slider.hidden = false;
    this.none = box.querySelector("input[value=none]");
    this.reason = box.querySelector(".why select");
    this.words = box.querySelector(".why input");
    this.again = box.querySelector(".again");
    this.show(this.answer);
    if (this.given) this.mark("saved");
  }

  get given() {
    return this.answer.value !== null || this.answer.reason !== "";
  }

  /** The description of the question, in words. */
  get about() {
    const mark = this.holder.querySelector("mark");
    const { lang, dir } = mark.closest(".sentence");
    return { text: mark.textContent, lang, dir, name: this.box.dataset.name };
  }

  /** The answer in words, for a question that is closed. */
  get told() {
    if (this.answer.reason) return this.none.closest("label").querySelector(".what").textContent;
    if (this.answer.value === null) return text("no answer");
    const chosen = this.points.find((one) => one.checked);
    return chosen ? chosen.closest("label").querySelector(".what").textContent : String(this.answer.value).replace("-", "−");
  }

  /** Whether the number field differs from the answer. */
  get unfinished() {
    if (!this.number) return false;
    return this.number.validity.badInput || this.number.value !== String(this.answer.value ?? "");
  }

  /** Put the slider where the number is; without a number it shows no position. */
  slide() {
    const { number, slider } = this;
    slider.value = number.value; // Empty: the middle, which is not shown.
    slider.toggleAttribute("data-empty", number.value === "");
    if (number.value === "") slider.setAttribute("aria-valuetext", text("no answer"));
    else slider.removeAttribute("aria-valuetext");
  }

  /** The slider was moved: the number follows, and `done` is called once it rests. */
  moved(done) {
    this.number.value = this.slider.value;
    this.slide();
    clearTimeout(this.resting);
    this.resting = setTimeout(done, REST);
  }

  /** The value of the key `digit`, or null. */
  valueOf(digit) {
    const point = this.points.find((one) => one.dataset.key === digit);
    return point ? Number(point.value) : null;
  }

  focus() {
    const chosen = this.points.find((one) => one.checked) ?? this.points[0];
    (this.number ?? chosen).focus({ preventScroll: true });
    this.number?.select();
  }

  /** Move the focus along the points. */
  along(by) {
    const points = [...this.points, this.none];
    const at = points.indexOf(document.activeElement);
    points[Math.max(0, Math.min(points.length - 1, at + by))].focus();
  }

  /** Begin a new number as if it was typed: it need not be a whole one yet. */
  type(digits) {
    this.focus();
    if (!document.execCommand("insertText", false, digits)) this.number.value = digits;
    this.slide();
  }

  /** Whether a number that is typed so is on the scale. */
  takes(typed) {
    const { value } = this.number;
    this.number.value = typed.replace(",", ".");
    const fits = this.number.value !== "" && this.number.checkValidity();
    this.number.value = value;
    return fits;
  }

  show(answer) {
    this.answer = answer;
    for (const one of this.points) one.checked = answer.value !== null && Number(one.value) === answer.value;
    if (this.number) this.number.value = answer.value ?? "";
    if (this.slider) this.slide();
    this.none.checked = answer.reason !== "";
    const listed = [...this.reason.options].some((option) => option.value === answer.reason);
    if (listed) this.reason.value = answer.reason;
    this.words.value = listed ? "" : answer.reason;
    this.again.querySelector("span").textContent = this.told;
  }

  mark(state) {
    this.box.dataset.save = state;
  }
}
