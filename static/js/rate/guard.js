// Presses of a mouse or finger that were meant for what stood there before: the second half of a
// double click, and what began before the sheet was shown or comes right after it.

const TWICE = 500; // ms; the usual longest double click
const NEAR = 16; // px
const PAUSE = 400; // ms without a press, after one that was refused

export class Guard {
  /** course; refused(): a press was ignored. */
  constructor({ course, refused }) {
    Object.assign(this, { course, refused });
    this.press = null; // {at, x, y, ground, form, twice}
    this.until = 0; // Who presses on without a pause has not seen what is there.
    document.addEventListener("pointerdown", (event) => this.pressed(event), { capture: true });
    document.addEventListener("click", (event) => this.clicked(event), { capture: true });
  }

  pressed({ target, timeStamp, clientX, clientY }) {
    const { press } = this;
    const ground = target.closest("dialog, .question") ?? target;
    const again = press && timeStamp - press.at < TWICE && Math.hypot(clientX - press.x, clientY - press.y) < NEAR;
    const twice = Boolean(again && (press.twice || press.ground !== ground));
    this.press = { at: timeStamp, x: clientX, y: clientY, ground, form: this.course.sheet.form, twice };
  }

  clicked(event) {
    const { form } = this.course.sheet;
    if (!event.target.closest("form.sheet") || !event.target.closest("button, input, label, select")) return;
    const byPointer = event.detail > 0 && this.press; // The space bar clicks, too.
    const late = byPointer && (this.press.twice || this.press.form !== form);
    if (!late && !this.course.fresh && event.timeStamp > this.until) return;
    event.preventDefault();
    event.stopPropagation();
    this.until = event.timeStamp + PAUSE;
    this.refused();
  }
}
