// A page that waits for its first report is loaded again when the report is ready.
document.addEventListener("htmx:afterSettle", () => {
  if (document.querySelector("#report-state[data-fill]")) location.reload();
});
