// The start page sends answers left on this device by an earlier visit.

import { HandIn } from "./handin.js";
import { openStores } from "./kept.js";
import { Queue } from "./queue.js";
import { text } from "./texts.js";

const place = document.getElementById("kept");
const { annotator, api, user } = place.dataset;
const { answers, sheets } = await openStores({ annotator, user });
const queue = new Queue({ annotator, api, store: answers, tell });
const handIn = new HandIn({ queue, annotator, store: sheets, taken: tell, refused: tell });

function tell() {
  handIn.run();
  const n = queue.unsent().length + handIn.list.length;
  const conflicts = queue.conflicts().length;
  if (conflicts) place.textContent = text("conflict", { n: conflicts });
  else if (n) place.textContent = text(handIn.stuck ? "waiting" : "sending", { n });
  else if (place.textContent) place.textContent = text("saved");
}

window.addEventListener("online", () => queue.resume());
tell();
queue.resume();
