// The state of saving: a badge, and for screen readers only what they must know.

import { text } from "./texts.js";

const byId = (id) => document.getElementById(id);
let trouble = false; // screen readers were told that answers wait

/** Tell screen readers. */
export function announce(words) {
  byId("announce").textContent = words;
}

function show(name, n) {
  const badge = byId("save-state");
  const words = text(name, { n });
  badge.dataset.state = name;
  if (badge.textContent !== words) badge.textContent = words;
  return words;
}

/** An answer was given: nothing calls it saved until the state is shown anew. */
export function unsaved() {
  if (byId("save-state").dataset.state === "saved") show("saving", 1);
}

/** Show how many answers wait: {n, conflicts, failing}; returns whether they are stuck. */
export function showSaving({ n, conflicts, failing }) {
  const stuck = Boolean(n && failing);
  let name = n ? "saving" : "saved";
  if (conflicts) name = "conflict";
  else if (stuck) name = navigator.onLine ? "waiting" : "offline";
  const words = show(name, conflicts || n);
  const wrong = conflicts || stuck;
  if (wrong && !trouble) announce(words);
  if (!wrong && !n && trouble) announce(text("saved"));
  if (wrong || !n) trouble = Boolean(wrong);
  return stuck;
}
