// One sheet on the page: its questions, the answers chosen, and the current question.

export class SheetView {
  constructor(form) {
    this.form = form;
    this.key = form.dataset.sheet;
    this.url = form.dataset.url;
    this.done = form.dataset.state === "done";
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
    question.holder.scrollIntoView({ block: "nearest" });
  }

  step(by) {
    const at = this.questions.indexOf(this.current);
    this.go(this.questions[Math.max(0, Math.min(this.questions.length - 1, at + by))]);
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
    this.none = box.querySelector("input[value=none]");
    this.reason = box.querySelector(".why select");
    this.words = box.querySelector(".why input");
    this.show(this.answer);
    if (this.given) this.mark("saved");
  }

  get given() {
    return this.answer.value !== null || this.answer.reason !== "";
  }

  /** The description of the question, in words. */
  get about() {
    const text = this.holder.querySelector("mark").textContent;
    return { text, name: this.box.dataset.name };
  }

  /** Whether the number field differs from the answer. */
  get unfinished() {
    if (!this.number) return false;
    return this.number.validity.badInput || this.number.value !== String(this.answer.value ?? "");
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

  show(answer) {
    this.answer = answer;
    for (const one of this.points) one.checked = answer.value !== null && Number(one.value) === answer.value;
    if (this.number) this.number.value = answer.value ?? "";
    this.none.checked = answer.reason !== "";
    const listed = [...this.reason.options].some((option) => option.value === answer.reason);
    if (listed) this.reason.value = answer.reason;
    this.words.value = listed ? "" : answer.reason;
  }

  mark(state) {
    this.box.dataset.save = state;
  }
}
