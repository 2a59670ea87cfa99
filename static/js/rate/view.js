// The dialog "View and keys", and its effects on the page.

import { ACTIONS, keyName } from "./prefs.js";
import { text } from "./texts.js";

const byId = (id) => document.getElementById(id);

/** The layout of the page: the annotator's choice if the campaign allows one. */
export function layout(prefs) {
  const { layout: given, layoutChoice } = byId("rate").dataset;
  return (layoutChoice === "yes" && prefs.get("layout")) || given;
}

/** Show the current keys on buttons and in the help. */
export function labelKeys(prefs, root = document) {
  for (const label of root.querySelectorAll("kbd[data-action]")) {
    label.textContent = keyName(prefs.keyOf(label.dataset.action));
    // A point without a label reads its value, which is its key, once.
    const what = label.parentElement.querySelector(".what");
    label.hidden = !prefs.get("single") || what?.textContent === label.textContent;
  }
}

export class View {
  /** prefs; changed(): redraw the page. */
  constructor({ prefs, changed }) {
    Object.assign(this, { prefs, changed });
    this.dialog = byId("view");
    this.waiting = null; // the action that gets the next key
    for (const field of this.dialog.querySelectorAll("[data-pref]")) {
      field.addEventListener("change", () => this.take(field));
    }
    for (const button of this.dialog.querySelectorAll("[data-remap]")) {
      button.addEventListener("click", () => this.ask(button));
    }
    byId("keys-reset").addEventListener("click", () => { prefs.set("keys", {}); this.show(); });
    // While a new key is being chosen, no other handler gets it, not even the dialog.
    this.dialog.addEventListener("keydown", (event) => this.pressed(event), { capture: true });
    this.dialog.addEventListener("close", () => this.ask(null));
  }

  open() {
    this.show();
    if (!this.dialog.open) this.dialog.showModal();
  }

  show() {
    for (const field of this.dialog.querySelectorAll("[data-pref]")) {
      const value = field.dataset.pref === "layout" ? layout(this.prefs) : this.prefs.get(field.dataset.pref);
      field.checked = field.type === "radio" ? field.value === value : value;
    }
    for (const button of this.dialog.querySelectorAll("[data-remap]")) {
      const { remap } = button.dataset;
      button.textContent = remap === this.waiting ? text("press") : keyName(this.prefs.keyOf(remap));
    }
    labelKeys(this.prefs);
    this.changed();
  }

  take(field) {
    this.prefs.set(field.dataset.pref, field.type === "radio" ? field.value : field.checked);
    this.show();
  }

  ask(button) {
    this.waiting = button?.dataset.remap ?? null;
    this.show();
  }

  pressed(event) {
    if (!this.waiting) return;
    event.stopPropagation();
    event.preventDefault();
    const { code, key } = event;
    if (event.repeat || ["Shift", "Control", "Alt", "Meta"].includes(key)) return;
    // Arrows, Tab, Enter, Space, Escape, function keys and shortcuts cannot be reassigned.
    const taken = /^(Arrow|Tab|Enter|NumpadEnter|Space|Escape|F\d)/.test(code) || event.ctrlKey || event.altKey || event.metaKey;
    if (!taken && this.waiting in ACTIONS) this.prefs.remap(this.waiting, code);
    this.ask(null);
  }
}
