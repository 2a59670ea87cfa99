// The dialogs of the rating screen; their HTML is part of the page.

import { searchable } from "../guidelines.js";
import { text } from "./texts.js";

const byId = (id) => document.getElementById(id);

/** Show a text in its own language and direction. */
function quote(element, about) {
  element.textContent = about?.text ?? "";
  element.lang = about?.lang ?? "";
  element.dir = about?.dir ?? "auto";
}

/** Show a dialog and resolve with the button that closed it; "" if it was dismissed. */
function show(dialog) {
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}

export function showHelp() {
  return show(byId("help"));
}

/** Show a message until it is closed. */
export function inform(title, message) {
  byId("message-title").textContent = title;
  byId("message-text").textContent = message;
  return show(byId("message"));
}

/** Ask for a reason (dialog `cannot` or `skip`); resolves with it, "" if dismissed. */
export async function askReason(id) {
  const dialog = byId(id);
  const reasons = [...dialog.querySelectorAll("input[type=radio]")];
  const words = dialog.querySelector("input[type=text]");
  words.value = "";
  // A digit selects the reason at that position in the list.
  dialog.onkeydown = (event) => {
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1];
    if (event.repeat || event.target.type === "text" || !reasons[digit - 1]) return;
    event.preventDefault();
    reasons[digit - 1].checked = true;
    dialog.close("yes");
  };
  const choice = await show(dialog);
  const chosen = reasons.find((one) => one.checked).value;
  return choice === "yes" ? words.value.trim() || chosen : "";
}

/**
 * Flag or comment. `places` has {key, flagged, text, draft, keep(draft), about} for the text and for
 * the sheet; send({substitution, flagged, text}) resolves with "" or an error message. What is typed
 * is kept as a draft until it is accepted, or discarded. `open`: the key of the draft to show, where
 * the sheet is about to be handed in.
 */
export function askRemark(places, send, open) {
  const dialog = byId("remark");
  const [flag, words, error, drop] = ["flag", "text", "error", "drop"].map((one) => byId(`remark-${one}`));
  const chosen = () => places[dialog.querySelector("input[name=about]:checked").value];
  const fill = () => {
    const place = chosen();
    const { flagged, text: said } = place.draft ?? place;
    flag.checked = flagged;
    words.value = said;
    drop.hidden = !place.draft;
  };
  dialog.querySelector(`input[value=${open === null ? "sheet" : "text"}]`).checked = true;
  quote(byId("remark-about"), places.text.about);
  error.textContent = open === undefined ? "" : text("remark open");
  for (const radio of dialog.querySelectorAll("input[name=about]")) radio.onchange = fill;
  fill();
  flag.onchange = words.oninput = () => {
    chosen().keep({ flagged: flag.checked, text: words.value });
    drop.hidden = !chosen().draft;
  };
  const form = dialog.querySelector("form");
  dialog.onkeydown = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector("button[value=yes]"));
  };
  let sending = false;
  form.onsubmit = async (event) => {
    const place = chosen();
    if (event.submitter?.value === "drop") place.keep(null);
    if (event.submitter?.value !== "yes") return;
    event.preventDefault();
    if (sending) return;
    sending = true;
    const refusal = await send({ substitution: place.key, flagged: flag.checked, text: words.value.trim() });
    sending = false;
    error.textContent = refusal;
    if (refusal) return;
    place.keep(null);
    dialog.close("yes");
  };
  const closed = show(dialog);
  words.focus();
  return closed;
}

export const WIDE = window.matchMedia("(min-width: 60rem)"); // room for the guidelines beside the sheet

/**
 * Show the guidelines, or close them; `url` returns the text alone. In a wide window they are beside
 * the sheet and stay: changed(open) is called then.
 */
export async function showGuidelines(url, changed) {
  const dialog = byId("guidelines");
  if (dialog.open) return dialog.close();
  const box = byId("guidelines-text");
  if (!box.hasChildNodes()) {
    const answer = await fetch(`${url}?fragment=1`, { credentials: "same-origin", redirect: "error" }).catch(() => null);
    if (!answer?.ok) return window.open(url, "_blank");
    box.innerHTML = await answer.text();
    searchable(box);
  }
  if (!WIDE.matches) return show(dialog);
  dialog.show();
  changed(true);
  dialog.onkeydown = ({ key }) => { if (key === "Escape") dialog.close(); };
  return dialog.addEventListener("close", () => changed(false), { once: true });
}

/** Log in without leaving the page; resolves with whether it succeeded. */
export function askLogin(queue) {
  const dialog = byId("login");
  if (dialog.open) return Promise.resolve(false);
  byId("login-error").textContent = "";
  byId("login-password").value = byId("login-code").value = "";
  byId("login-form").onsubmit = async (event) => {
    event.preventDefault();
    const error = await logIn(queue);
    byId("login-error").textContent = error;
    if (!error) dialog.close("in");
  };
  const closed = show(dialog);
  byId("login-password").focus();
  return closed.then((how) => how === "in");
}

async function logIn(queue) {
  // The login page sets the CSRF cookie, in case it has expired too.
  await fetch(byId("login-form").action, { credentials: "same-origin" }).catch(() => null);
  const username = byId("login-name").value;
  const password = byId("login-password").value;
  const code = byId("login-code").value;
  const { status, data } = await queue.request("POST", "session", { username, password, code });
  if (data?.code === "second_factor") {
    byId("login-second").hidden = false;
    byId("login-code").focus();
  }
  return status === 200 ? "" : data?.detail ?? text("no connection");
}

const line = [];

/** Show both values of a conflict; one dialog after the other. */
export function showConflict(queue, place, settled) {
  if (line.includes(place)) return;
  line.push(place);
  if (line.length === 1) next(queue, settled);
}

async function next(queue, settled) {
  const [place] = line;
  const entry = queue.read(place);
  if (entry?.conflict) {
    const { code, detail, stored } = entry.conflict;
    quote(byId("conflict-text"), entry.about);
    byId("conflict-scale").textContent = entry.about?.name ?? "";
    byId("conflict-message").textContent = code === "stale" ? "" : detail;
    byId("conflict-mine").textContent = told(entry.answer);
    byId("conflict-stored").textContent = told(stored);
    byId("conflict-time").textContent = stored ? new Date(stored.recorded_at).toLocaleTimeString() : "";
    byId("conflict-use").hidden = code !== "stale";
    const choice = await show(byId("conflict"));
    if (choice) settled(place, choice, stored);
  }
  line.shift();
  if (line.length) next(queue, settled);
}

function told(answer) {
  if (!answer || (answer.value === null && !answer.reason)) return text("no answer");
  return answer.value === null ? text("cannot judge", { reason: answer.reason }) : String(answer.value).replace("-", "−");
}
