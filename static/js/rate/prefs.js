// How this annotator likes the screen: kept on this device.

/** What can be done with one key, and the key it has at first (event.code). */
export const ACTIONS = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((n) => [`value:${n}`, `Digit${n}`])),
  undo: "KeyU", cannot: "KeyC", skip: "KeyS", remark: "KeyF", unrated: "KeyN", guidelines: "KeyG",
  view: "KeyV", help: "Slash",
};

const DEFAULTS = { layout: "", differ: true, joined: false, single: true, keys: {} };

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
      // Full: it holds until the page is left.
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

  /** Give an action another key; the action that had it gets the one that is free now. */
  remap(action, code) {
    const other = this.actionOf(code);
    const keys = { ...this.values.keys, [action]: code };
    if (other && other !== action) keys[other] = this.keyOf(action);
    this.set("keys", keys);
  }
}

/** How a key is called on a button. */
export function keyName(code) {
  if (code === "Slash") return "?";
  return code.replace(/^(Key|Digit)/, "").replace(/^Numpad/, "num ").toLowerCase();
}
