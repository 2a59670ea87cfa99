// Draws the figures of a page from their data, in the colours of the page. A click on a point opens
// its item; selecting a region fills the form that lists the texts inside it.
const names = ["ground", "ink", "ink-soft", "line", "line-strong"];

const language = document.documentElement.lang;
const words = JSON.parse(document.getElementById("figure-texts").textContent);

function colours() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

function dressed(layout) {
  const c = colours();
  const axis = (one) => ({ ...one, gridcolor: c.line, linecolor: c["line-strong"], tickcolor: c["line-strong"] });
  return {
    ...layout,
    xaxis: axis(layout.xaxis),
    yaxis: axis(layout.yaxis),
    shapes: layout.shapes.map((shape) => ({ ...shape, line: { ...shape.line, color: c["ink-soft"] } })),
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: c.ink, family: "inherit", size: 13 },
  };
}

async function draw(box) {
  const answer = await fetch(box.dataset.source, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const { data, layout } = await answer.json();
  const region = document.getElementById(box.dataset.region);
  box.replaceChildren();
  // On a narrow screen, labelled cells need no colour bar.
  if ((box.clientWidth || innerWidth) < 480) for (const one of data) if (one.texttemplate) one.showscale = false;
  const options = {
    responsive: true,
    displaylogo: false,
    showSendToCloud: false, // It would hand the texts of the campaign to somebody else's server.
    locale: language,
    locales: { [language]: { dictionary: words } },
    modeBarButtonsToRemove: region ? ["lasso2d"] : ["lasso2d", "select2d"],
  };
  await window.Plotly.newPlot(box, data, dressed(layout), options);
  box.on("plotly_click", ({ points }) => {
    if (points[0].customdata) location.href = points[0].customdata;
  });
  if (region) box.on("plotly_selected", (chosen) => chosen?.range && list(region, chosen.range));
  // What is folded away has no width until it is unfolded.
  box.closest("details")?.addEventListener("toggle", () => window.Plotly.Plots.resize(box));
  box.dataset.drawn = "yes";
}

// The form works by itself; the figure only fills it in.
function list(form, { x, y }) {
  const ends = { x0: x[0], x1: x[1], y0: y[0], y1: y[1] };
  for (const [name, at] of Object.entries(ends)) form.elements[name].value = Number(at.toPrecision(4));
  form.requestSubmit();
}

const boxes = document.querySelectorAll("[data-source]");
for (const box of boxes) {
  draw(box).catch(() => { box.textContent = box.dataset.failed; });
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const box of boxes) {
    if (box.dataset.drawn) window.Plotly.relayout(box, dressed(box.layout));
  }
});
