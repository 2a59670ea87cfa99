// The sentences of the rating screen come from the page, so that they are translated there.

const TEXTS = JSON.parse(document.getElementById("texts").textContent);

/** The sentence `name` with {placeholders} filled in. */
export function text(name, values = {}) {
  return TEXTS[name].replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
}
