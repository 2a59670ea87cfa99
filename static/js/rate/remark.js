// Flags and comments, stored in the page with their texts. What is typed is kept on this device as a
// draft until it is saved or discarded; where the device has no room for it, in this page.

import { askRemark } from "./dialogs.js";
import { uuid } from "./queue.js";
import { text } from "./texts.js";

const said = ({ dataset }) => ({ flagged: dataset.flagged === "yes", text: dataset.remark });
const prefix = (annotator, sheet) => `remark:${annotator}:${sheet}/`;
const refused = new Map(); // drafts that the device did not take, by name
const same = (one, other) => one.flagged === other.flagged && one.text.trim() === other.text;

/** Whether a draft goes with this page. */
export const draftsGoToo = () => refused.size > 0;

/** The drafts on a sheet: the keys of their texts, null for the sheet itself. */
export function drafts(annotator, sheet) {
  const begin = prefix(annotator, sheet);
  const names = [...refused.keys(), ...Object.keys(localStorage)].filter((name) => name.startsWith(begin));
  return names.map((name) => name.slice(begin.length) || null);
}

/** A stored remark {key, flagged, text} with its draft, and how to keep one or, null, to drop it. */
function place(annotator, sheet, about) {
  const name = prefix(annotator, sheet) + (about.key ?? "");
  return {
    ...about,
    draft: refused.get(name) ?? JSON.parse(localStorage.getItem(name)),
    keep(draft) {
      this.draft = draft && !same(draft, this) ? draft : null;
      refused.delete(name);
      localStorage.removeItem(name);
      if (!this.draft) return;
      try {
        localStorage.setItem(name, JSON.stringify(this.draft));
      } catch {
        refused.set(name, this.draft); // There is no room.
      }
    },
  };
}

/**
 * Ask for a remark on the current text or on the sheet, and send it. `open`, the key of a draft,
 * shows that one. Resolves with "yes" (saved), "drop" (discarded) or "" (kept as a draft).
 */
export async function remark({ queue, annotator, sheet, say, open }) {
  const question = (open && sheet.questions.find((one) => one.substitution === open)) || sheet.current;
  const { holder, substitution, about } = question;
  const places = {
    text: place(annotator, sheet.key, { key: substitution, about, ...said(holder) }),
    sheet: place(annotator, sheet.key, { key: null, ...said(sheet.form) }),
  };
  const ids = new Map(); // The same words on the same place are one request, however often sent.
  const how = await askRemark(places, async (one) => {
    const words = JSON.stringify(one);
    if (!ids.has(words)) ids.set(words, uuid());
    const body = { id: ids.get(words), annotator, ...one };
    const { status, data } = await queue.request("POST", `sheets/${sheet.key}/remarks`, body);
    if (status === 401) queue.halt("login");
    if (status !== 200) return data?.detail ?? text("remark waits");
    const box = one.substitution === null ? sheet.form : holder;
    box.dataset.flagged = data.flagged ? "yes" : "";
    box.dataset.remark = data.text;
    return "";
  }, open);
  if (how === "yes") say(text("remark kept"));
  else if (drafts(annotator, sheet.key).length) say(text(draftsGoToo() ? "remark here" : "remark draft"));
  sheet.current.focus();
  return how;
}
