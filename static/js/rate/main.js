// The rating screen: answers, and events of the keyboard, the queue and the browser.

import { Account } from "./account.js";
import { announce, showSaving, unsaved } from "./badge.js";
import { Course } from "./course.js";
import { askReason, showConflict, showGuidelines, showHelp, WIDE } from "./dialogs.js";
import { Display } from "./display.js";
import { Guard } from "./guard.js";
import { openStores, Pages } from "./kept.js";
import { listen } from "./keys.js";
import { Prefs } from "./prefs.js";
import { Queue, sameAnswer } from "./queue.js";
import { drafts, draftsGoToo, remark } from "./remark.js";
import { reveal, small } from "./reveal.js";
import { text } from "./texts.js";
import { Typing } from "./typing.js";
import { Undo } from "./undo.js";
import { labelKeys, layout, View } from "./view.js";

const byId = (id) => document.getElementById(id);
const shell = document.documentElement.outerHTML; // as the server sent it
const { annotator, campaign, api, start, guidelines, user, worker, lease } = byId("rate").dataset;
const progress = Object.fromEntries(["done", "open", "left", "texts"].map((one) => [one, Number(byId("rate").dataset[one])]));
const { answers, sheets } = await openStores({ annotator, user });

const queue = new Queue({ annotator, api, store: answers, tell });
const pages = new Pages({ annotator, user, start, shell });
const course = new Course({
  queue, sheets, pages, annotator, campaign, start, shown, skipped, changed: state, say,
  lease: Number(lease), progress,
  settled: () => burst.decide(), stayed: () => burst.stay(),
});
const typing = new Typing({ course, rate, enter, say });
const { burst } = typing;
const account = new Account({ queue, campaign, start, goOn: () => course.goOn() });
const undoable = new Undo(annotator);
const prefs = new Prefs({ annotator, storage: window.localStorage });
const view = new View({ prefs, changed: () => look() });
let stating = 0;
let busy = false; // the page says that the site is busy
const ROOM = { small: 90, large: 240 }; // letters of a long text that are shown on each side of its mark
let display = null; // the sentences of the sheet on the page

function skipped(key) {
  undoable.push({ key, skipped: true });
}

// --- showing ---------------------------------------------------------------------------------

function shown(sheet, how) {
  const { form } = sheet;
  if (how === "next" && burst.group) say(text("keys before"));
  burst.arrive(how);
  form.addEventListener("submit", (event) => { event.preventDefault(); finish(); });
  form.addEventListener("change", onChange);
  form.addEventListener("input", ({ target }) => {
    const question = course.sheet.around(target);
    if (target === question?.slider) question.moved(() => finishNumber(question));
    if (target === question?.number && question.slider) question.slide();
  });
  form.addEventListener("focusin", (event) => {
    const question = course.sheet.around(event.target);
    if (question && question !== course.sheet.current && event.target !== question.again) course.sheet.go(question, { focus: false });
  });
  form.addEventListener("click", ({ target }) => {
    if (target.closest(".again")) move(() => sheet.go(sheet.around(target)));
  });
  if (display) announce(text("new sheet", { n: form.querySelectorAll(".substitution").length }));
  display = new Display(form, (mark) => mark.scrollIntoView({ block: "nearest" }));
  sheet.moved = ({ holder }) => display.compare(holder.querySelector(".sentence"));
  labelKeys(prefs, form);
  look();
}

/** Apply the annotator's preferences for layout and sentences. */
function look() {
  const { form, current } = course.sheet;
  form.dataset.layout = layout(prefs);
  const room = small.matches ? ROOM.small : ROOM.large;
  display.show({ joined: prefs.get("joined"), differ: prefs.get("differ"), room });
  if (current) display.compare(current.holder.querySelector(".sentence"));
  state();
}

/** Show a hint; one that comes while a dialog is open is shown when it is closed. */
function say(words) {
  const dialog = words && document.querySelector("dialog:modal");
  if (dialog) dialog.addEventListener("close", () => say(words), { once: true });
  else byId("hint").textContent = words;
}

/** Redraw after the current key event has been handled. */
function state() {
  stating ||= setTimeout(showState);
}

/** The status badge, and conflicts that wait for a decision. */
function showState() {
  stating = 0;
  const conflicts = queue.conflicts().length;
  const n = queue.unsent().length + course.handIn.list.length;
  const stuck = showSaving({ n, conflicts, failing: course.handIn.stuck });
  byId("attend").hidden = !conflicts && !queue.halted;
  if (!course.sheet) return;
  byId("next").classList.toggle("plain", course.sheet.missing().length > 0);
  byId("undo").disabled = !undoable.steps.length;
  if (queue.overloaded !== busy) {
    busy = queue.overloaded;
    if (busy) say(text("busy"));
    else if (byId("hint").textContent === text("busy")) say("");
  } else if (stuck && course.leaving && !busy) say(text("kept"));
}

// --- events of the queue ---------------------------------------------------------------------

function tell(event, detail) {
  if (event === "saved") {
    pages.note(detail);
    onSaved(detail);
  }
  if (event === "elsewhere") setTimeout(() => { queue.heal(); course.goOn(); }, 500);
  if (event === "conflict") onConflict(detail.place);
  if (event === "login") account.login().then(state);
  if (event === "stranger") account.stranger();
  state();
}

function onSaved({ place, id, version, answer }) {
  const question = course.sheet?.find(place);
  if (!question) return course.goOn(); // On a sheet that was left.
  question.version = version;
  // Entries removed by another tab may still be visible here for a moment.
  const waiting = queue.read(place);
  if (waiting && (waiting.id !== id || waiting.next)) return undefined;
  // Another tab of this browser may have saved it.
  const own = queue.mine.has(place) || question.unfinished;
  if (!own && !sameAnswer(question.answer, answer)) question.show(answer);
  question.mark(question.given ? "saved" : "");
  return course.goOn();
}

function onConflict(place) {
  course.sheet?.find(place)?.mark("conflict");
  showConflict(queue, place, settled);
}

function settled(place, choice, stored) {
  const question = course.sheet?.find(place);
  if (question && choice === "stored") {
    const { value = null, reason = "", comment = "", version = 0 } = stored ?? {};
    question.version = version;
    question.show({ value, reason, comment });
    question.mark(question.given ? "saved" : "");
  } else question?.mark("waiting");
  queue.settle(place, choice);
  course.goOn();
}

function attend() {
  if (queue.halted === "login") account.login().then(state);
  for (const place of queue.conflicts()) showConflict(queue, place, settled);
}

// --- answering -------------------------------------------------------------------------------

function give(question, answer, { remember = true } = {}) {
  course.stay();
  const before = question.answer;
  question.show(answer);
  if (sameAnswer(before, answer)) return;
  if (remember) undoable.push({ key: course.sheet.key, place: question.place, before, group: burst.group });
  question.mark("waiting");
  unsaved();
  queue.put(question.place, answer, question.version, question.about);
  if (queue.halted === "login") account.login().then(state);
}

function goOn(question) {
  const next = course.sheet.following(question);
  if (next) course.sheet.go(next);
  else if (prefs.get("confirm")) {
    say(text("complete"));
    typing.stop(text("complete"));
  } else finish();
}

function finish(how) {
  const [draft] = how || !course.sheet.missing().length ? drafts(annotator, course.sheet.key) : [];
  if (draft !== undefined) return settleDraft(draft, how);
  course.finish(how);
  return state();
}

/** A remark was typed and not saved: ask what becomes of it before the sheet goes. */
async function settleDraft(open, how) {
  if (await remark({ queue, annotator, sheet: course.sheet, say, open })) finish(how);
}

function rate(question, value) {
  if (!burst.group) say("");
  give(question, { value, reason: "", comment: question.answer.comment });
  goOn(question);
}

function giveReason(question, reason) {
  give(question, { value: null, reason, comment: question.answer.comment });
}

async function cannot(question) {
  const reason = await askReason("cannot");
  if (!reason) return question.focus();
  giveReason(question, reason);
  goOn(question);
}

async function skip() {
  const reason = await askReason("skip");
  if (reason) finish({ state: "skipped", reason });
  else course.sheet.current.focus();
}

function onChange({ target }) {
  const question = course.sheet.around(target);
  if (!question) return;
  burst.group = null;
  if (target === question.number) finishNumber(question);
  else if (target === question.slider) question.moved(() => finishNumber(question));
  else if (target === question.none) {
    const taken = target.checked;
    question.show(question.answer);
    if (taken) cannot(question);
    else giveReason(question, "");
  } else if (target === question.reason || target === question.words) {
    giveReason(question, question.words.value.trim() || question.reason.value);
  } else rate(question, Number(target.value));
}

/** Accept the value of the number field; false if it is not on the scale. */
function finishNumber(question) {
  const { number } = question;
  if (!number.checkValidity()) {
    say(number.validationMessage);
    return false;
  }
  say("");
  const value = number.value === "" ? null : Number(number.value);
  const reason = value === null ? question.answer.reason : "";
  give(question, { value, reason, comment: question.answer.comment });
  return true;
}

function enter(question) {
  if (finishNumber(question) && question.given) goOn(question);
}

async function undo() {
  if (burst.undo()) return say(text("undone"));
  const steps = undoable.pop();
  const [step] = steps;
  if (!step) return say(text("nothing to undo"));
  burst.note("undo", performance.now());
  burst.group = null;
  course.stay();
  const back = step.skipped ? course.takeBack(step.key) : step.key === course.sheet.key || course.visit(step.key, "undo");
  if (!(await back)) {
    for (const one of steps.reverse()) undoable.push(one);
    return say(text("not fetched"));
  }
  if (step.skipped) return say(text("undone"));
  const questions = steps.map((one) => [course.sheet.find(one.place), one.before]).filter(([question]) => question);
  if (!questions.length) return say(text("nothing to undo"));
  for (const [question, before] of questions) give(question, before, { remember: false });
  course.sheet.go(questions.at(-1)[0]);
  say(questions.length > 1 ? text("undone together", { n: questions.length }) : text("undone"));
  return course.settle(0); // Whoever undoes waits for this sheet.
}

// --- keys and events -------------------------------------------------------------------------

function unrated() {
  const next = course.sheet.unrated();
  if (next) move(() => course.sheet.go(next));
  else say(text("all rated"));
}

function move(how) {
  if (burst.presses.length) return burst.drop();
  course.stay();
  return how();
}

const actions = {
  digit: (key, at) => typing.digit(key, at), undo, skip, unrated,
  covered: () => say(text("keys covered")),
  early: (at) => burst.early(at),
  held: () => burst.presses.length > 0,
  loading: () => course.leaving || course.visiting,
  hold: (key, at) => (key === "Enter" && !burst.presses.length) || burst.press(key, at),
  enter: (target, at) => { burst.note("Enter", at); enter(course.sheet.around(target)); },
  cannot: () => cannot(course.sheet.current),
  remark: () => remark({ queue, annotator, sheet: course.sheet, say }),
  guidelines: () => showGuidelines(guidelines, (open) => prefs.set("beside", open)),
  view: () => view.open(),
  help: showHelp,
  step: (by) => move(() => course.sheet.step(by)),
  along: (by) => move(() => course.sheet.current.along(by)),
};
listen(actions, prefs);
document.addEventListener("click", ({ detail, target }) => {
  if (detail > 0 && !target.closest("#undo")) burst.drop();
}, { capture: true });
new Guard({ course, refused: () => say(text("pressed too soon")) });

byId("menu").hidden = false;
byId("menu").addEventListener("click", ({ target }) => {
  const act = target.closest("[data-act]")?.dataset.act;
  if (!act) return;
  byId("menu").open = false;
  actions[act]();
});
byId("guidelines-link").addEventListener("click", (event) => {
  event.preventDefault();
  actions.guidelines();
});
byId("attend").addEventListener("click", attend);
byId("undo").addEventListener("click", undo);
byId("next").addEventListener("click", () => {
  const n = course.sheet.missing().length;
  if (n) say(text("missing", { n }));
  finish();
});
small.addEventListener("change", () => { look(); reveal(course.sheet.current); });
byId("back").addEventListener("click", (event) => {
  event.preventDefault();
  course.goTo(event.currentTarget.href.split("/").at(-2));
});
window.addEventListener("popstate", (event) => course.goTo(event.state?.key ?? location.pathname.split("/").at(-2)));
window.addEventListener("online", () => { queue.resume(); course.goOn(); course.count(); });
window.addEventListener("offline", state);
window.addEventListener("focus", () => account.look());
window.addEventListener("pagehide", () => {
  for (const question of course.sheet.questions) if (question.unfinished) finishNumber(question);
  queue.leave();
  answers.leave();
  course.release();
});
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
window.addEventListener("beforeunload", (event) => { 
  if (answers.unkept.size || draftsGoToo()) event.preventDefault();
});

labelKeys(prefs);
byId("rate").classList.add("live");
byId("foot").hidden = false;
course.begin();
queue.resume();
attend();
if (prefs.get("beside") && WIDE.matches) actions.guidelines();
pages.begin(worker).catch(() => null); // Without a worker nothing but loading without a connection is missing.
