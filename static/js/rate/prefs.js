// The annotator's preferences, stored on this device.

/** Actions with their default key (event.code). */
export const ACTIONS = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((n) => [`value:${n}`, `Digit${n}`])),
  undo: "KeyU", cannot: "KeyC", skip: "KeyS", remark: "KeyF", unrated: "KeyN", guidelines: "KeyG",
  view: "KeyV", help: "Slash",
};

const DEFAULTS = { layout: "", confirm: false, beside: false, differ: true, joined: false, single: true, keys: {} };

export class Prefs {
  constructor({ annotator, storage }) {
    Object.assign(this, { storage, name: `prefs:${annotator}` });
    this.values = { ...DEFAULTS, ...JSON.parse(storage.getItem(this.name) ?? "{}") };
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
    try {
      this.storage.setItem(this.name, JSON.stringify(this.values));
    } catch {
      // Storage full: the setting lasts until the page is closed.
    }
  }

  /** The key of an action. */
  keyOf(action) {
    return this.values.keys[action] ?? ACTIONS[action];
  }

  /** The action of a key. */
  actionOf(code) {
    return Object.keys(ACTIONS).find((action) => this.keyOf(action) === code);
  }

  /** Assign a key to an action; the action that had it gets the freed key. */
  remap(action, code) {
    const other = this.actionOf(code);
    const keys = { ...this.values.keys, [action]: code };
    if (other && other !== action) keys[other] = this.keyOf(action);
    this.set("keys", keys);
  }
}

/** The label of a key on a button. */
export function keyName(code) {
  if (code === "Slash") return "?";
  return code.replace(/^(Key|Digit)/, "").replace(/^Numpad/, "num ").toLowerCase();
}
