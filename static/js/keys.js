// Keys of every page but those of judging, which have their own: / and g with a digit.
// They can be switched off in the help of a page, for those whose programs type letters.

/** A link to what is folded away opens it. */
function unfold() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let one = target; one; one = one.parentElement) if (one.matches("details")) one.open = true;
  target?.scrollIntoView?.();
}

// What somebody unfolded stays so when the server sends the part of the page again.
let unfolded = [];
document.addEventListener("htmx:beforeSwap", ({ target }) => {
  unfolded = [...target.querySelectorAll("details[id][open]")].map((one) => one.id);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
});
addEventListener("hashchange", unfold);
unfold();

const KEPT = "page-keys";
const on = () => localStorage.getItem(KEPT) !== "off";
const seen = (element) => element.checkVisibility();
const box = document.querySelector("#page-keys");
let waits = 0; // Until when g waits for its digit.

/** The search or first filter of the page, else the menu of the site. */
function search() {
  const main = document.querySelector("main");
  const fields = ["input[type=search]", "form[method=get] input[type=text]", "form[method=get] select"];
  const field = fields.flatMap((one) => [...main.querySelectorAll(one)]).find(seen);
  const menu = document.querySelector("#site-links");
  if (!field && menu && !seen(menu)) menu.showPopover();
  (field ?? menu?.querySelector("a"))?.focus();
}

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !on()) return;
  if (target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")) return;
  if (document.querySelector("#rate, #practice")) return;
  const room = Date.now() < waits && document.querySelector(`.rooms [data-key="${CSS.escape(key)}"]`);
  waits = key === "g" ? Date.now() + 1500 : 0;
  if (key === "/") {
    event.preventDefault();
    search();
  } else if (room) {
    event.preventDefault();
    room.click();
  }
});

if (box) {
  box.checked = on();
  box.addEventListener("change", () => localStorage.setItem(KEPT, box.checked ? "on" : "off"));
}
