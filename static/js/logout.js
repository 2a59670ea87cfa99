// Logging out warns of answers that have not been sent, and removes the pages kept for working
// without a connection; so does every page that is shown to nobody in particular.

import { forget } from "./rate/kept.js";
import { waiting } from "./rate/store.js";

const form = document.getElementById("logout");
if (!form) forget();
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { user, warning } = form.dataset;
  const n = await waiting(user).catch(() => 0);
  if (n && !window.confirm(warning.replace("{n}", n))) return;
  await forget();
  form.submit();
});
