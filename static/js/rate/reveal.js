// Scrolling: the current question is in sight whole, with its text if there is room for both.

const byId = (id) => document.getElementById(id);
const SHARE = 0.4; // of the window: a taller original scrolls away

/** Whether the window has room for one question only (a phone, a zoom of 200 %). */
export const small = window.matchMedia("(max-width: 40rem), (max-height: 34rem)");

/** The free part of the window, between what stays at its edges: [top, bottom] in px. */
function room() {
  const stays = [document.querySelector(".bar"), byId("pair"), document.querySelector(".original")];
  const above = stays.filter((one) => one.checkVisibility() && getComputedStyle(one).position === "sticky");
  return [above.reduce((sum, one) => sum + one.offsetHeight, 0), window.innerHeight - byId("foot").offsetHeight];
}

/** Scroll no further than needed until the question can be seen. */
export function reveal({ box, holder }) {
  const original = document.querySelector(".original");
  original.classList.toggle("tall", original.offsetHeight > window.innerHeight * SHARE);
  const [top, bottom] = room();
  const [whole, own] = [holder, box].map((one) => one.getBoundingClientRect());
  const spans = [[whole.top, whole.bottom], [whole.top, own.bottom], [own.top, own.bottom]];
  const [from, to] = spans.find(([one, other]) => other - one <= bottom - top) ?? spans[2];
  if (to > bottom) window.scrollBy(0, Math.min(to - bottom, from - top));
  else if (from < top) window.scrollBy(0, from - top);
}
