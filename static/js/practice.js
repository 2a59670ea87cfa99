// Practice and test with the keyboard: a digit answers the question that has the focus.
//
// The page works without this: every answer is a form. Here a form is sent in the background and
// the returned page replaces this one, so that the verdict appears immediately.

import { Burst } from "./rate/burst.js";
import { digitOf } from "./rate/keys.js";
import { text } from "./rate/texts.js";

const hint = document.querySelector("#hint");
const page = () => document.querySelector("#practice");
const open = () => [...page().querySelectorAll("fieldset.question:not(:disabled)")];
const answered = (question) => question.querySelector("input:checked") !== null;

let sending = false; // what is typed meanwhile waits
const burst = new Burst({ state: () => (sending ? "coming" : "ready"), room: () => Infinity, use, changed: early });

/** Focus the first unanswered question, else the button to continue. */
function focusNext() {
  const next = open().find((question) => !answered(question));
  const target = next?.querySelector("input") ?? page().querySelector("#next, .send button");
  target?.focus();
}

async function send(form) {
  let answer;
  sending = true;
  try {
    answer = await fetch(form.action, { method: "POST", body: new FormData(form), credentials: "same-origin" });
  } catch {
    form.submit(); // The browser says what is wrong with the connection.
    return;
  }
  const arrived = new DOMParser().parseFromString(await answer.text(), "text/html");
  const content = arrived.querySelector("#practice");
  if (!content) {
    location.assign(answer.url); // The login, or the end of the test.
    return;
  }
  const key = form.querySelector("fieldset")?.dataset.question;
  page().replaceWith(document.adoptNode(content));
  const verdict = page().querySelector(`[data-question="${key}"]`)?.closest("form")?.querySelector(".verdict");
  document.querySelector("#verdict").textContent = verdict?.textContent.trim() ?? "";
  focusNext();
  sending = false;
  burst.arrive("next");
  burst.decide();
}

/** The question that keys answer: the one with the focus, or the first without an answer. */
function current() {
  const focused = document.activeElement.closest("fieldset.question:not(:disabled)");
  return focused ?? open().find((question) => !answered(question));
}

/** Answer with a digit, type it into a number, or go on with Enter; false if that cannot be. */
function answer(key) {
  const question = current();
  if (key === "Enter") {
    const form = (question ?? page().querySelector(".send button"))?.closest("form");
    form?.requestSubmit();
    return Boolean(form);
  }
  const number = question?.querySelector("input[type=number]");
  if (number) {
    number.focus();
    return document.execCommand("insertText", false, key);
  }
  const input = question?.querySelector(`input[data-key="${key}"]`);
  if (!input) return false;
  input.checked = true;
  if (input.form.matches(".asked")) input.form.requestSubmit();
  else focusNext();
  return true;
}

/** Answer with keys that were typed ahead; returns how many were used. */
function use(keys) {
  let used = 0;
  while (used < keys.length && !sending && answer(keys[used])) used += 1;
  return used;
}

function early(what, n) {
  const ignored = what === "slip" || what === "refused";
  if (!ignored || n) hint.textContent = ignored ? text("keys ignored") : "";
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const key = digitOf(event);
  if (burst.early(event.timeStamp) && (key !== null || event.key === "Enter")) {
    event.preventDefault();
    if (!event.repeat) burst.press(key ?? "Enter", event.timeStamp);
    return;
  }
  if (event.key === "Enter" && !event.repeat) burst.note("Enter", event.timeStamp);
  const question = event.target.closest?.("fieldset.question");
  if (key === null || !question?.querySelector(`input[data-key="${key}"]`)) return;
  event.preventDefault();
  if (event.repeat || !burst.press(key, event.timeStamp)) return;
  hint.textContent = "";
  answer(key);
});

// A click or tap submits. Arrow keys in a radio group only select (their clicks have detail 0) and
// wait for Enter or the button.
document.addEventListener("click", (event) => {
  if (event.detail > 0 && event.target.matches(".asked input[type=radio]")) event.target.form.requestSubmit();
});

document.addEventListener("submit", (event) => {
  if (!event.target.closest("#practice")) return;
  event.preventDefault();
  if (event.target.dataset.sent) return;
  event.target.dataset.sent = "yes";
  send(event.target);
});

focusNext();
