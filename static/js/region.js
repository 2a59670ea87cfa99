// A rectangle drawn over a figure fills the form that lists the texts inside it. The form works by
// itself.
const SVG = "http://www.w3.org/2000/svg";
let svg, box, start;

const numbers = (text) => text.split(" ").map(Number);

// The place of the pointer within the plot, from 0 to 1.
function place({ clientX, clientY }) {
  const { left, top, width } = svg.getBoundingClientRect();
  const [above, height] = numbers(svg.dataset.plot);
  const inside = (share) => Math.min(1, Math.max(0, share));
  return [inside((clientX - left) / width), inside((clientY - top - above) / height)];
}

function corners(event) {
  const end = place(event);
  return [0, 1].map((at) => [Math.min(start[at], end[at]), Math.max(start[at], end[at])]);
}

document.addEventListener("pointerdown", (event) => {
  svg = event.target.closest?.("svg[data-region]");
  if (!svg || event.button || event.pointerType === "touch") return;
  event.preventDefault();
  start = place(event);
  box = svg.appendChild(document.createElementNS(SVG, "rect"));
  box.setAttribute("class", "region");
});

document.addEventListener("pointermove", (event) => {
  if (!box) return;
  const [above, height] = numbers(svg.dataset.plot);
  const [[x0, x1], [y0, y1]] = corners(event);
  const sides = { x: `${100 * x0}%`, width: `${100 * (x1 - x0)}%`, y: above + height * y0, height: height * (y1 - y0) };
  for (const [name, value] of Object.entries(sides)) box.setAttribute(name, value);
});

document.addEventListener("pointerup", (event) => {
  if (!box) return;
  box.remove();
  box = null;
  const [[x0, x1], [y0, y1]] = corners(event);
  if (x1 - x0 < 0.02 && y1 - y0 < 0.02) return; // A click.
  event.preventDefault();
  const form = document.getElementById(svg.dataset.region);
  const [low, high] = numbers(svg.dataset.x);
  const [bottom, top] = numbers(svg.dataset.y);
  const ends = {
    x0: low + x0 * (high - low), x1: low + x1 * (high - low), y0: top - y1 * (top - bottom), y1: top - y0 * (top - bottom),
  };
  for (const [name, at] of Object.entries(ends)) form.elements[name].value = Number(at.toPrecision(4));
  form.closest("details").open = true;
  form.requestSubmit();
});
