// How a page of an earlier release saves, which may be open while the server is renewed: one request
// for each answer, one for handing in, one for the next sheet. It shows nothing but that sheet.
const page = document.getElementById("rate");
const { annotator, campaign, api } = page.dataset;

async function ask(method, path, body) {
  const token = document.cookie.split("; ").find((one) => one.startsWith("csrftoken=")) ?? "";
  const answer = await fetch(api + path, {
    method,
    redirect: "manual",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token.slice("csrftoken=".length) },
    body: JSON.stringify({ annotator, ...body }),
  });
  return { status: answer.status, data: await answer.json() };
}

const form = () => document.querySelector("form.sheet");

window.older = {
  sheet: () => form()?.dataset.sheet ?? null,

  /** Answer the question with this number; `id` and `base` as they were for a request sent again. */
  save(number, value, id = crypto.randomUUID(), base = 0) {
    const box = document.querySelectorAll(".question")[number];
    const { substitution } = box.closest("[data-substitution]").dataset;
    const path = `sheets/${form().dataset.sheet}/judgments/${substitution}/${box.dataset.scale}`;
    return ask("PUT", path, { id, base_version: base, value, reason: "", comment: "" });
  },

  handIn() {
    return ask("PUT", `sheets/${form().dataset.sheet}/state`, { state: "done", next: false });
  },

  async next() {
    const beside = form() ? [form().dataset.sheet] : [];
    const found = await ask("POST", `campaigns/${campaign}/claim?fragment=1`, { beside });
    if (found.data.sheet) document.getElementById("sheet").innerHTML = found.data.sheet.html;
    return found;
  },
};
