// The state of saving: a badge, and for screen readers only what they must know.

import { text } from "./texts.js";

const byId = (id) => document.getElementById(id);
let trouble = false; // screen readers were told that answers wait

/** Tell screen readers. */
export function announce(words) {
  byId("announce").textContent = words;
}

/** Show how many answers wait: {n, conflicts, failing}; returns whether they are stuck. */
export function showSaving({ n, conflicts, failing }) {
  const stuck = Boolean(n && failing);
  let name = n ? "saving" : "saved";
  if (conflicts) name = "conflict";
  else if (stuck) name = navigator.onLine ? "waiting" : "offline";
  const badge = byId("save-state");
  const words = text(name, { n: conflicts || n });
  badge.dataset.state = name;
  if (badge.textContent !== words) badge.textContent = words;
  const wrong = conflicts || stuck;
  if (wrong && !trouble) announce(words);
  if (!wrong && !n && trouble) announce(text("saved"));
  if (wrong || !n) trouble = Boolean(wrong);
  return stuck;
}
