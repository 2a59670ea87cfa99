// The undo history: kept per tab and per annotator, also across a reload.

const MOST = 200;

export class Undo {
  constructor(annotator) {
    this.name = `undo:${annotator}`;
    this.steps = JSON.parse(sessionStorage.getItem(this.name) ?? "[]");
  }

  /**
   * A step is {key, place, before, group}: the sheet, the place on it, and the previous answer,
   * with the name of the answers that are undone together, if any; or {key, skipped: true}: the
   * sheet was given back.
   */
  push(step) {
    this.steps = [...this.steps, step].slice(-MOST);
    this.keep();
  }

  /** The last step, with those that are undone together with it: the last one first. */
  pop() {
    const { length } = this.steps;
    const { key, group } = this.steps.at(-1) ?? {};
    const first = group ? this.steps.findLastIndex((one) => one.key !== key || one.group !== group) + 1 : length - 1;
    const steps = this.steps.splice(Math.max(0, first)).reverse();
    this.keep();
    return steps;
  }

  keep() {
    try {
      sessionStorage.setItem(this.name, JSON.stringify(this.steps));
    } catch {
      sessionStorage.removeItem(this.name); // Full: undo still works until the page is left.
    }
  }
}
