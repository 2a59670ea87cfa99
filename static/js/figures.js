// Draws the figures of a page from their data; a click on a point opens its item.
async function draw(box) {
  const answer = await fetch(box.dataset.source, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const { data, layout } = await answer.json();
  box.replaceChildren();
  const options = { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["lasso2d", "select2d"] };
  await window.Plotly.newPlot(box, data, layout, options);
  box.on("plotly_click", ({ points }) => { location.href = points[0].customdata; });
  box.dataset.drawn = "yes";
}

for (const box of document.querySelectorAll("[data-source]")) {
  draw(box).catch(() => { box.textContent = box.dataset.failed; });
}
