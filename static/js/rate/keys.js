// What keys mean on the rating screen.
//
// Keys are told by their place on the keyboard (event.code), so that every layout works; only "?"
// stands in different places. Nothing is taken with Ctrl, Alt or Meta, in texts, or in dialogs.

const TEXT = "textarea, select, input:not([type=radio], [type=checkbox], [type=number])";

/** The digit of a key press, or null. */
function digitOf(event) {
  const [, row, digit] = /^(Digit|Numpad)(\d)$/.exec(event.code) ?? [];
  if (row === undefined) return null;
  // Without the number lock the keypad moves; with Shift some layouts give their digits.
  if (event.key === digit || (row === "Digit" && !event.shiftKey)) return digit;
  return null;
}

/**
 * Call `actions`: digit(d), fresh() (says so and is true while digits are dropped), enter(target),
 * step(by), along(by), and what prefs.js names. `prefs` says which key does what, and whether
 * single keys do anything at all; the arrows always do.
 */
export function listen(actions, prefs) {
  document.addEventListener("keydown", (event) => {
    // Prevented already: a dialog took the key and has closed itself with it.
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (document.querySelector("dialog[open]") || event.target.matches(TEXT)) return;
    const typing = event.target.type === "number";
    const name = prefs.get("single") ? nameOf(event, prefs) : undefined;
    const digit = name?.startsWith("value:") ? name.slice("value:".length) : null;
    // Digits go into a number field by themselves, unless they were not meant for it.
    if (digit !== null && typing && digitOf(event) !== null && !event.repeat && !actions.fresh()) return;
    const action = actionOf(event, { name, digit, typing }, actions);
    if (!action) return;
    event.preventDefault();
    if (!event.repeat) action();
  });
}

/** What the key is for: "value:3", "undo", ... */
function nameOf(event, prefs) {
  if (event.key === "?" && prefs.keyOf("help") === "Slash") return "help";
  const digit = digitOf(event);
  // The keypad gives values whatever the other keys do.
  if (digit !== null && event.code.startsWith("Numpad")) return `value:${digit}`;
  const name = prefs.actionOf(event.code);
  if (name === "help" && event.code === "Slash") return undefined;
  return event.code.startsWith("Digit") && digit === null ? undefined : name;
}

function actionOf(event, { name, digit, typing }, actions) {
  if (digit !== null) return () => !typing && !actions.fresh() && actions.digit(digit);
  if (name) return actions[name];
  if (typing && event.code.endsWith("Enter")) return () => actions.enter(event.target);
  if (typing && ["ArrowLeft", "ArrowRight"].includes(event.code)) return null;
  return {
    ArrowDown: () => actions.step(1),
    ArrowUp: () => actions.step(-1),
    ArrowRight: () => actions.along(1),
    ArrowLeft: () => actions.along(-1),
  }[event.code];
}
