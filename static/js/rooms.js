// Between phone and desk the pages of a room may be one row that scrolls: show the current one.
const page = document.querySelector("#room-pages [aria-current]");
if (page) {
  const row = page.parentElement;
  row.scrollLeft = page.offsetLeft - row.offsetLeft - (row.clientWidth - page.offsetWidth) / 2;
}

// What is open for a wide screen begins folded on a phone, unless something in it is chosen or wrong.
function fold(root) {
  for (const one of root.querySelectorAll("details[data-wide]")) {
    one.open = one.querySelector(".pick > :checked, [aria-invalid], :target") !== null;
  }
}
if (matchMedia("(max-width: 40rem)").matches) {
  fold(document);
  document.addEventListener("htmx:load", (event) => fold(event.detail.elt));
}
