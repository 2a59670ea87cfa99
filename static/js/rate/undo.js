// The undo history: kept per tab and per annotator, also across a reload.

const MOST = 200;

export class Undo {
  constructor(annotator) {
    this.name = `undo:${annotator}`;
    this.steps = JSON.parse(sessionStorage.getItem(this.name) ?? "[]");
  }

  /**
   * A step is {key, place, before}: the sheet, the place on it, and the previous answer; or
   * {key, skipped: true}: the sheet was given back.
   */
  push(step) {
    this.steps = [...this.steps, step].slice(-MOST);
    this.keep();
  }

  pop() {
    const step = this.steps.pop();
    this.keep();
    return step;
  }

  keep() {
    try {
      sessionStorage.setItem(this.name, JSON.stringify(this.steps));
    } catch {
      sessionStorage.removeItem(this.name); // Full: undo still works until the page is left.
    }
  }
}
