// A page that waits for its report takes in the numbers when they are there.
let filling = false;

async function fill() {
  if (filling || !document.querySelector("#report-state[data-fill]")) return;
  filling = true;
  await window.htmx.ajax("GET", location.href, { target: "#main", select: "#main", swap: "outerHTML" });
  filling = false;
}

document.addEventListener("htmx:afterSettle", fill);
document.addEventListener("DOMContentLoaded", fill);
