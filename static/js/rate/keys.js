// Keyboard control of the rating screen.
//
// Keys are identified by position (event.code), so that every layout works; only the position of
// "?" varies. Keys with Ctrl, Alt or Meta, in text fields or in dialogs are ignored.

const TEXT = "textarea, select, input:not([type=radio], [type=checkbox], [type=number])";
const NUMBER = [".", ",", "-", "Backspace", "Enter"]; // what a number is typed with, beside digits

/** The digit of a key press, or null. */
export function digitOf(event) {
  const [, row, digit] = /^(Digit|Numpad)(\d)$/.exec(event.code) ?? [];
  if (row === undefined) return null;
  // Without Num Lock the keypad moves the cursor; some layouts need Shift for digits.
  if (event.key === digit || (row === "Digit" && !event.shiftKey)) return digit;
  return null;
}

/**
 * Call `actions`: digit(d, at), early(at) (whether keys have to wait), held() (whether some do),
 * hold(key, at), covered() (a digit is ignored, because a dialog is open), enter(target, at),
 * step(by), along(by), and the actions of prefs.js. `prefs` maps keys to actions and says whether
 * single keys are enabled; the arrow keys always are. No key counts that repeats because it is held
 * down.
 */
export function listen(actions, prefs) {
  document.addEventListener("keydown", (event) => {
    // Already handled: a dialog was closed by this key.
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.target.matches(TEXT)) return;
    const name = prefs.get("single") ? nameOf(event, prefs) : undefined;
    const digit = name?.startsWith("value:") ? name.slice("value:".length) : null;
    if (document.querySelector("dialog:modal")) {
      if (digit !== null && !event.repeat) actions.covered();
      return;
    }
    const typing = event.target.type === "number";
    const typed = typing ? digitOf(event) : null;
    const waits = actions.early(event.timeStamp) ? heldKey(event, { name, digit, typing, typed }, actions) : null;
    // Digits are typed into a number field as usual.
    if (typed !== null && waits === null && !event.repeat) return;
    const action = waits === null ? actionOf(event, { name, digit, typing }, actions) : () => actions.hold(waits, event.timeStamp);
    if (!action) return;
    event.preventDefault();
    if (!event.repeat) action();
  });
}

/** What a key that has to wait is held as; null if it need not. */
function heldKey(event, { name, digit, typing, typed }, actions) {
  if (typed !== null || digit !== null) return typed ?? digit;
  if ((typing || actions.held()) && NUMBER.includes(event.key)) return event.key;
  return name && name !== "undo" && (actions.held() || (name === "cannot" && actions.loading())) ? name : null;
}

/** The action of a key: "value:3", "undo", ... */
function nameOf(event, prefs) {
  if (event.key === "?" && prefs.keyOf("help") === "Slash") return "help";
  const digit = digitOf(event);
  // The keypad always gives values.
  if (digit !== null && event.code.startsWith("Numpad")) return `value:${digit}`;
  const name = prefs.actionOf(event.code);
  if (name === "help" && event.code === "Slash") return undefined;
  return event.code.startsWith("Digit") && digit === null ? undefined : name;
}

function actionOf(event, { name, digit, typing }, actions) {
  if (digit !== null) return () => !typing && actions.digit(digit, event.timeStamp);
  if (name) return actions[name];
  const number = typing || event.target.type === "range";
  if (number && event.code.endsWith("Enter")) return () => actions.enter(event.target, event.timeStamp);
  if (number && ["ArrowLeft", "ArrowRight"].includes(event.code)) return null;
  return {
    ArrowDown: () => actions.step(1),
    ArrowUp: () => actions.step(-1),
    ArrowRight: () => actions.along(1),
    ArrowLeft: () => actions.along(-1),
  }[event.code];
}
