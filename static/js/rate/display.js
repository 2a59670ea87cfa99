// Display of the sentences: detokenised, and with differing words marked.
// Only the display changes; the replaced span stays the same.

const WORDS = [
  [/-lrb-/gi, "("], [/-rrb-/gi, ")"], [/-lsb-/gi, "["], [/-rsb-/gi, "]"], [/-lcb-/gi, "{"], [/-rcb-/gi, "}"],
  [/&apos;/g, "'"], [/&quot;/g, '"'], [/&lt;/g, "<"], [/&gt;/g, ">"], [/&#91;/g, "["], [/&#93;/g, "]"],
  [/&#124;/g, "|"], [/&amp;/g, "&"], [/(?<!\S)``(?!\S)/g, "“"], [/(?<!\S)''(?!\S)/g, "”"],
  [/ ?@(?=[-.,/]@)/g, ""], [/(?<=[-.,/])@ ?/g, ""],
];
const SPACES = [
  / (?=(?:[,.;:!?%)\]}’”…]|\.\.\.)+(?!\S))/g, // before marks that close
  /(?<=(?<!\S)[([{“‘$£€]) /g, // after one that opens
  / (?=['’](?:s|re|ve|ll|d|m)(?![\p{L}\p{N}]))/giu,
  / (?=n['’]t(?![\p{L}\p{N}]))/giu,
];

/** A text that tracks the part each character came from. */
class Parts {
  constructor(parts) {
    this.count = parts.length;
    this.text = parts.join("");
    this.owners = parts.flatMap((part, at) => Array(part.length).fill(at));
  }

  replace(at, length, put) {
    this.text = this.text.slice(0, at) + put + this.text.slice(at + length);
    this.owners.splice(at, length, ...Array(put.length).fill(this.owners[at]));
  }

  /** Replace from the end, so that earlier offsets stay valid. */
  every(pattern, put) {
    for (const found of [...this.text.matchAll(pattern)].reverse()) this.replace(found.index, found[0].length, put);
  }

  /** Straight quotes between spaces: the first opens, the next closes. */
  quotes() {
    const found = [...this.text.matchAll(/(?<!\S)"(?!\S)/g)].map(({ index }) => index);
    for (let n = found.length - 1 - (found.length % 2); n > 0; n -= 2) {
      if (this.text[found[n] - 1] === " ") this.replace(found[n] - 1, 1, "");
      if (this.text[found[n - 1] + 1] === " ") this.replace(found[n - 1] + 1, 1, "");
    }
  }

  get parts() {
    const made = Array(this.count).fill("");
    this.owners.forEach((owner, at) => { made[owner] += this.text[at]; });
    return made;
  }
}

/** Detokenise the parts of a text. */
export function join(parts) {
  const whole = new Parts(parts);
  for (const [pattern, put] of WORDS) whole.every(pattern, put);
  whole.quotes();
  for (const pattern of SPACES) whole.every(pattern, "");
  return whole.parts;
}

/** For each word of two texts: is it in their longest common subsequence? */
export function common(one, other) {
  const [a, b] = [one, other].map((words) => words.map((word) => word.toLowerCase()));
  const best = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    }
  }
  const found = [a.map(() => false), b.map(() => false)];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) [found[0][i++], found[1][j++]] = [true, true];
    else if (best[i + 1][j] >= best[i][j + 1]) i += 1;
    else j += 1;
  }
  return found;
}

const split = (text) => text.split(/(\s+)/).filter((part) => part !== "");
const words = (text) => split(text).filter((part) => part.trim() !== "");

/** Write `text` into `mark`, with the words not shared (according to `known`) in elements. */
function write(mark, text, known) {
  if (!known || !known.includes(true)) { // Nothing in common: a mark on every word tells nothing.
    mark.textContent = text;
    return;
  }
  let at = 0;
  mark.replaceChildren(...split(text).map((part) => {
    if (part.trim() === "" || known[at++]) return part;
    const word = document.createElement("span");
    word.className = "differs";
    word.textContent = part;
    return word;
  }));
}

/** The sentences of one sheet. */
export class Display {
  constructor(form) {
    [this.original, ...this.others] = [...form.querySelectorAll(".sentence")].map((box) => {
      const mark = box.querySelector("mark");
      const [before, after] = [mark.previousSibling, mark.nextSibling].map((side) => side ?? document.createTextNode(""));
      mark.before(before);
      mark.after(after);
      return { box, mark, sides: [before, after], parts: [before.data, mark.textContent, after.data] };
    });
  }

  /** joined: detokenise; differ: mark differences. */
  show({ joined, differ }) {
    for (const one of [this.original, ...this.others]) {
      one.shown = joined ? join(one.parts) : one.parts;
      [one.sides[0].data, , one.sides[1].data] = one.shown;
    }
    const [, phrase] = this.original.shown;
    for (const one of this.others) {
      const [here, there] = differ ? common(words(phrase), words(one.shown[1])) : [null, null];
      one.here = here;
      write(one.mark, one.shown[1], there);
    }
  }

  /** Mark in the original what is missing in the sentence `box`. */
  compare(box) {
    const one = this.others.find((other) => other.box === box);
    write(this.original.mark, this.original.shown[1], one?.here);
  }
}
