// The last page of a participant: the code is shown once every answer of this browser has arrived.

import { HandIn } from "./rate/handin.js";
import { openStores } from "./rate/kept.js";
import { Queue } from "./rate/queue.js";
import { text } from "./rate/texts.js";

const place = document.getElementById("kept");
const arrived = document.querySelector("[data-arrived]");
const { annotator, api, user } = place.dataset;
const { answers, sheets } = await openStores({ annotator, user });
const queue = new Queue({ annotator, api, store: answers, tell });
const handIn = new HandIn({ queue, annotator, store: sheets, taken: tell, refused: tell });
const counted = () => queue.unsent().length + handIn.list.length;
const before = counted();

function tell() {
  handIn.run();
  const n = counted();
  arrived.hidden = n > 0;
  place.hidden = n === 0;
  place.textContent = n ? text("on the way", { n }) : "";
  // The server says anew where the person stands.
  if (before && !n) location.reload();
}

window.addEventListener("online", () => queue.resume());
if (before) {
  tell();
  queue.resume();
}
