// Long texts: what is near the mark.

const LITTLE = 1.5; // times the room: less than half of it more is not worth a button
const THIRD = 1 / 3;
const ENDS = /[.!?…؟۔。！？]["'”’»)\]]*\s+/g; // the end of a sentence, with the space after it

/** Wide letters (Chinese, Japanese, Korean) count twice. */
const size = (letter) => (letter.codePointAt(0) >= 0x1100 ? 2 : 1);

/** How many code units of `letters`, in this order, fit into `room`. */
function fitting(letters, room) {
  let [left, units] = [room, 0];
  for (const letter of letters) {
    left -= size(letter);
    if (left < 0) return units;
    units += letter.length;
  }
  return Infinity;
}

/** [hidden, shown] of the text before a mark: from a sentence's beginning, or a word's. */
export function before(text, room) {
  const letters = [...text].reverse();
  if (fitting(letters, room * LITTLE) === Infinity) return ["", text];
  const shown = text.slice(-fitting(letters, room));
  const starts = [...shown.matchAll(ENDS)].map((found) => found.index + found[0].length);
  const word = shown.search(/(?<=\s)\S/);
  const at = starts.find((start) => shown.length - start > room * THIRD) ?? Math.max(word, 0);
  const cut = text.length - shown.length + at;
  return [text.slice(0, cut), text.slice(cut)];
}

/** [shown, hidden] of the text after a mark: to a sentence's end, or a word's. */
export function after(text, room) {
  const letters = [...text];
  if (fitting(letters, room * LITTLE) === Infinity) return [text, ""];
  const shown = text.slice(0, fitting(letters, room));
  const ends = [...shown.matchAll(ENDS)].map((found) => found.index + found[0].trimEnd().length);
  const word = shown.search(/\s\S*$/);
  const at = ends.findLast((end) => end > room * THIRD) ?? (word > 0 ? word : shown.length);
  return [text.slice(0, at), text.slice(at)];
}
