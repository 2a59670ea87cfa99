// The board asks every few seconds for what has changed. It does not while the tab is hidden, while
// it is held still, while somebody marks text in it, and after the campaign is closed.
const board = document.getElementById("board-live");
const told = document.getElementById("board-time");
const summary = document.getElementById("board-summary");
const hold = document.getElementById("board-hold");
const seconds = Number(board.dataset.seconds);
let tag = board.dataset.tag;
let live = board.dataset.live === "yes";
let held = false;
let asking = false;
let answered = new Date();

function time(at) {
  return at.toLocaleTimeString(document.documentElement.lang, { hour12: false });
}

function tell() {
  const lost = !held && live && Date.now() - answered > 3500 * seconds && !document.hidden;
  const state = !live ? "over" : held ? "held" : lost ? "lost" : "every";
  told.textContent = told.dataset[state].replace("{time}", time(answered)).replace("{n}", seconds);
}

function reads() {
  const chosen = document.getSelection();
  return chosen && !chosen.isCollapsed && board.contains(chosen.anchorNode);
}

function poll() {
  tell();
  if (!live || held || asking || document.hidden || reads()) return;
  htmx.trigger(board, "board:poll");
}

board.addEventListener("htmx:configRequest", (event) => {
  asking = true;
  event.detail.headers["If-None-Match"] = tag;
});

board.addEventListener("htmx:beforeSwap", (event) => {
  const answer = event.detail.xhr;
  const state = answer.getResponseHeader("X-Board-Live");
  event.detail.shouldSwap = answer.status === 200 && state !== null && !held;
  event.detail.isError = false;
  if (state === null) {
    // The page of a login, or an error: the next poll or a visit says more.
    if (answer.status === 200) location.reload();
    return;
  }
  answered = new Date();
  if (event.detail.shouldSwap) tag = answer.getResponseHeader("ETag");
  live = state === "yes";
});

board.addEventListener("htmx:afterRequest", () => {
  asking = false;
  tell();
});

// Only a sentence that is new is put into the live region, so that nothing is said twice.
board.addEventListener("htmx:afterSwap", () => {
  const said = document.getElementById("board-said");
  if (said && said.textContent !== summary.textContent) summary.textContent = said.textContent;
});

hold.hidden = !live;
hold.addEventListener("click", () => {
  held = !held;
  hold.setAttribute("aria-pressed", String(held));
  tell();
  poll();
});
document.addEventListener("visibilitychange", poll);
setInterval(poll, 1000 * seconds);
tell();
