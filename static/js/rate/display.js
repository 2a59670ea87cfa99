// Display of the sentences: detokenised, shortened around the mark, and with differing words marked.
// Only the display changes; the replaced span stays the same.

import { after, before } from "./shorten.js";
import { text as told } from "./texts.js";

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

/** One sentence: the text on both sides of its mark, of which the far parts may be hidden. */
class Sentence {
  constructor(box) {
    const mark = box.querySelector("mark");
    const sides = [mark.previousSibling, mark.nextSibling].map((side) => side ?? document.createTextNode(""));
    mark.before(sides[0]);
    mark.after(sides[1]);
    Object.assign(this, { box, mark, sides, parts: [sides[0].data, mark.textContent, sides[1].data] });
    this.all = false; // the annotator asked for the whole text
    this.more = null; // the button for that
  }

  show(parts, room) {
    this.shown = parts;
    const short = [before(parts[0], room), after(parts[2], room)];
    const long = short[0][0] !== "" || short[1][1] !== "";
    const [[first, left], [right, last]] = this.all ? [["", parts[0]], [parts[2], ""]] : short;
    this.sides[0].data = first ? `… ${left}` : left;
    this.sides[1].data = last ? `${right} …` : right;
    // What is hidden stays in the paragraph: its first letter decides the direction of writing.
    for (const far of this.box.querySelectorAll(".far")) far.remove();
    if (first) this.box.prepend(hidden(first));
    if (last) this.box.append(hidden(last));
    this.offer(long);
  }

  /** The button below the text that shows all of it, or less again. */
  offer(long) {
    if (long && !this.more) {
      this.more = document.createElement("button");
      this.more.type = "button";
      this.more.className = "link more";
      this.box.after(this.more);
    }
    if (!this.more) return;
    this.more.hidden = !long;
    this.more.textContent = told(this.all ? "show less" : "show all");
    this.more.setAttribute("aria-expanded", this.all);
    this.box.classList.toggle("all", this.all);
  }
}

function hidden(words) {
  const far = document.createElement("span");
  far.className = "far";
  far.hidden = true;
  far.textContent = words;
  return far;
}

/** The sentences of one sheet. */
export class Display {
  /** changed(mark): a text was shown whole or shortened again. */
  constructor(form, changed) {
    [this.original, ...this.others] = [...form.querySelectorAll(".sentence")].map((box) => new Sentence(box));
    form.addEventListener("click", ({ target }) => {
      const one = [this.original, ...this.others].find(({ more }) => more && more === target);
      if (!one) return;
      one.all = !one.all;
      one.show(one.shown, this.room);
      changed(one.mark);
    });
  }

  /** joined: detokenise; differ: mark differences; room: letters shown on each side of a mark. */
  show({ joined, differ, room }) {
    this.room = room;
    for (const one of [this.original, ...this.others]) one.show(joined ? join(one.parts) : one.parts, room);
    const [, phrase] = this.original.shown;
    for (const one of this.others) {
      const [here, there] = differ ? common(words(phrase), words(one.shown[1])) : [null, null];
      one.here = here;
      write(one.mark, one.shown[1], there);
    }
  }

  /** Mark in the original what is missing in the sentence `box`; both marks stand in the strip. */
  compare(box) {
    const one = this.others.find((other) => other.box === box);
    write(this.original.mark, this.original.shown[1], one?.here);
    const [phrase, text] = document.querySelectorAll("#pair mark");
    phrase.textContent = this.original.shown[1];
    text.textContent = one?.shown[1] ?? "";
  }
}
