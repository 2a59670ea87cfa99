// Practice and test with the keyboard: a digit answers the question that has the focus.
//
// The page works without this: every answer is a form. Here a form is sent in the background and
// the returned page replaces this one, so that the verdict appears immediately.

const page = () => document.querySelector("#practice");
const open = () => [...page().querySelectorAll("fieldset.question:not(:disabled)")];
const answered = (question) => question.querySelector("input:checked") !== null;

/** Focus the first unanswered question, else the button to continue. */
function focusNext() {
  const next = open().find((question) => !answered(question));
  const target = next?.querySelector("input") ?? page().querySelector("#next, .send button");
  target?.focus();
}

async function send(form) {
  let answer;
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
}

document.addEventListener("keydown", (event) => {
  const question = event.target.closest?.("fieldset.question");
  const [, row, digit] = /^(Digit|Numpad)(\d)$/.exec(event.code) ?? [];
  // By key position, so that input methods and layouts do not matter.
  if (!question || digit === undefined || (row === "Numpad" ? event.key !== digit : event.shiftKey)) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const input = question.querySelector(`input[data-key="${digit}"]`);
  if (!input) return;
  event.preventDefault();
  if (event.repeat) return;
  input.checked = true;
  const form = input.form;
  if (form.matches(".asked")) form.requestSubmit();
  else focusNext();
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
