// Flags and comments, stored in the page with their texts.

import { askRemark } from "./dialogs.js";
import { uuid } from "./queue.js";
import { text } from "./texts.js";

const said = ({ dataset }) => ({ flagged: dataset.flagged === "yes", text: dataset.remark });

/** Ask for a remark on the current text or on the sheet, and send it. */
export async function remark({ queue, annotator, sheet, say }) {
  const { holder, substitution, about } = sheet.current;
  const places = {
    text: { key: substitution, about, ...said(holder) },
    sheet: { key: null, ...said(sheet.form) },
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
  });
  if (how === "yes") say(text("remark kept"));
  sheet.current.focus();
}
