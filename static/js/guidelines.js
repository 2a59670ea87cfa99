/** Search the guidelines while typing; without this module the form asks the server. */

/** Make the search field of every guide below `root` filter its sections and rows. */
export function searchable(root) {
  for (const guide of root.querySelectorAll("[data-guide]")) {
    const field = guide.querySelector("input[type=search]");
    const found = guide.querySelector("[data-found]");
    if (field.value) continue; // The server has filtered already.
    field.form.addEventListener("submit", (event) => event.preventDefault());
    field.form.querySelector("button").hidden = true;
    if (guide.closest("dialog")) guide.addEventListener("click", within);
    field.addEventListener("input", () => {
      const words = field.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
      const shown = filter(guide, words);
      found.textContent = words.length && !shown ? found.dataset.none : "";
      mark(guide, words);
    });
  }
}

/** In the panel, links of the contents scroll the panel; URL and history are unchanged. */
function within(event) {
  const link = event.target.closest(".contents a");
  if (!link) return;
  event.preventDefault();
  const part = document.getElementById(decodeURIComponent(link.hash.slice(1)));
  part.tabIndex = -1;
  part.focus();
  part.scrollIntoView();
}

const has = (element, words) => {
  const text = element.textContent.toLocaleLowerCase();
  return words.every((word) => text.includes(word));
};

/** Hide sections that lack one of the words; return the number left. */
function filter(guide, words) {
  let shown = 0;
  for (const part of guide.querySelectorAll("[data-part]")) {
    const rows = [...part.querySelectorAll("[data-row]")];
    for (const row of rows) row.hidden = !has(row, words);
    part.hidden = rows.length ? rows.every((row) => row.hidden) : !has(part, words);
    shown += !part.hidden;
  }
  const contents = guide.querySelector(".contents");
  if (contents) contents.hidden = words.length > 0;
  return shown;
}

/** Highlight the words without changing the DOM (if the browser supports it). */
function mark(guide, words) {
  if (!("highlights" in CSS)) return;
  const ranges = [];
  for (const part of guide.querySelectorAll("[data-part]:not([hidden])")) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.data.toLocaleLowerCase();
      for (const word of words) {
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          const range = new Range();
          range.setStart(walker.currentNode, Math.min(at, walker.currentNode.length));
          range.setEnd(walker.currentNode, Math.min(at + word.length, walker.currentNode.length));
          ranges.push(range);
        }
      }
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}

searchable(document);
