// Between phone and desk the pages of a room may be one row that scrolls: show the current one.
const page = document.querySelector("#room-pages [aria-current]");
if (page) {
  const row = page.parentElement;
  row.scrollLeft = page.offsetLeft - row.offsetLeft - (row.clientWidth - page.offsetWidth) / 2;
}
