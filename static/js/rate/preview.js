// The rating screen as a preview: the scripts are the real ones, and nothing leaves the page.
//
// Loaded before main.js. What would be stored in the browser is kept in memory, and what would be
// sent is answered here, as the server answers it.

const { done, guidelines } = document.getElementById("preview").dataset;

class Memory {
  #values = new Map();
  getItem(name) { return this.#values.get(name) ?? null; }
  setItem(name, value) { this.#values.set(name, String(value)); }
  removeItem(name) { this.#values.delete(name); }
}

const instead = (name, value) => Object.defineProperty(window, name, { value, configurable: true });
instead("localStorage", new Memory());
instead("sessionStorage", new Memory());
instead("indexedDB", undefined);
instead("caches", undefined); // So that no worker is registered either.

const answered = (data, status = 200) => new Response(JSON.stringify(data), { status, headers: { "Content-Type": "application/json" } });

/** What the server would say to a request of the queue. */
function answer({ pathname }, method, body) {
  if (method === "PUT" && pathname.endsWith("/state")) return { state: body.state, sheet: null, url: done };
  if (method === "PUT" && pathname.includes("/sheets/")) {
    const answers = body.answers.map(({ base_version: base, ...one }) => ({ value: null, reason: "", comment: "", ...one, version: base + 1 }));
    const state = body.state === "done" ? "done" : "claimed";
    return { answers, state, sheet: null, ...(state === "done" ? { url: done } : {}) };
  }
  if (method === "GET" && pathname.endsWith("/progress/own")) return { done: 0, open: 1, left: 0 };
  return { sheet: null };
}

const really = window.fetch.bind(window);
window.fetch = async (address, { method = "GET", body } = {}) => {
  const url = new URL(address, location.href);
  if (method === "GET" && url.pathname === guidelines) return really(url);
  return answered(answer(url, method, body ? JSON.parse(body) : {}));
};

for (const frame of document.querySelectorAll(".site, .site-foot")) frame.inert = true;
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (link && link.id !== "guidelines-link" && !link.hash) event.preventDefault();
}, true);
