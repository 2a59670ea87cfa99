// What this browser keeps of one annotator: unsent answers, and the sheets that were fetched, so that
// the page can be loaded again without a connection (worker.js answers then).
//
// Pages are in a cache named after login and annotator. Another login, and logging out, remove it.

import { Store } from "./store.js";

const MOST = 30; // sheets
const PAGES = "rate/"; // the beginning of the names of all caches of pages

/** The stores of answers and of complete sheets. */
export async function openStores({ annotator, user }) {
  const [answers, sheets] = await Promise.all([
    Store.open({ table: "answers", annotator, user, old: `paraanno:${annotator}:` }),
    Store.open({ table: "sheets", annotator, user, old: `paraanno-sheet:${annotator}:` }),
  ]);
  return { answers, sheets };
}

/** Remove kept pages, but for those of the login `user`. */
export async function forget(user) {
  if (!globalThis.caches) return; // Only https and localhost have caches.
  const mine = user === undefined ? null : `${PAGES}${user}/`;
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES));
  await Promise.all(names.filter((name) => !mine || !name.startsWith(mine)).map((name) => caches.delete(name)));
}

export class Pages {
  /** annotator; user: their login; start: address below which sheets are; shell: the page's HTML. */
  constructor({ annotator, user, start, shell }) {
    Object.assign(this, { start, user, shell, name: `${PAGES}${user}/${annotator}`, pointer: `next:${annotator}` });
    this.sheets = new Map(); // key: a template with the sheet as the server has it
    this.headers = null;
    this.timers = new Map();
  }

  /** Register the worker at `address`, and keep what the page is made of. */
  async begin(address) {
    if (!navigator.serviceWorker || !globalThis.caches) return;
    await forget(this.user);
    await navigator.serviceWorker.register(address);
    // A kept page has the policy of any page of the site.
    const policy = (await fetch(address)).headers.get("Content-Security-Policy");
    this.headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy };
    const cache = await caches.open(this.name);
    const parts = performance.getEntriesByType("resource").map(({ name }) => name);
    for (const part of parts.filter((one) => one.startsWith(`${location.origin}/static/`))) {
      if (!(await cache.match(part))) await cache.add(part);
    }
    for (const key of this.sheets.keys()) this.write(key);
  }

  /** Keep a sheet {key, html}. */
  keep({ key, html }) {
    const template = document.createElement("template");
    template.innerHTML = html;
    this.sheets.delete(key);
    this.sheets.set(key, template);
    this.write(key);
  }

  /** The HTML of a sheet that was kept, with the answers confirmed since. */
  html(key) {
    return this.sheets.get(key).innerHTML;
  }

  /** The sheets that are shown next may be taken up after a reload without a connection. */
  point(keys) {
    sessionStorage.setItem(this.pointer, keys.join(" "));
  }

  async ahead() {
    const keys = (sessionStorage.getItem(this.pointer) ?? "").split(" ");
    return (await Promise.all(keys.map((key) => this.find(key)))).filter(Boolean);
  }

  /** An answer was confirmed: the kept page shows it, with its version. */
  note({ place, version, answer }) {
    const [sheet, substitution, scale] = place.split("/");
    const path = `[data-substitution="${substitution}"] [data-scale="${scale}"]`;
    const box = this.sheets.get(sheet)?.content.querySelector(path);
    if (!box) return;
    const { value, reason, comment } = answer;
    Object.assign(box.dataset, { value: value ?? "", reason, comment: comment ?? "", version });
    this.write(sheet);
  }

  /** Write soon, once for many changes. */
  write(key) {
    if (!this.headers || this.timers.has(key)) return;
    this.timers.set(key, setTimeout(() => { this.timers.delete(key); this.put(key); }, 50));
  }

  async put(key) {
    const page = new DOMParser().parseFromString(this.shell, "text/html");
    page.getElementById("sheet").innerHTML = this.sheets.get(key).innerHTML;
    const html = `<!doctype html>${page.documentElement.outerHTML}`;
    const cache = await caches.open(this.name);
    await cache.put(this.address(key), new Response(html, { headers: this.headers }));
    for (const old of [...this.sheets.keys()].slice(0, -MOST)) {
      this.sheets.delete(old);
      await cache.delete(this.address(old));
    }
  }

  address(key) {
    return `${this.start}${key}/`;
  }

  /** A kept sheet {key, url, html}, or null. */
  async find(key) {
    if (!key || !globalThis.caches) return null;
    const url = this.address(key);
    const kept = await (await caches.open(this.name)).match(url);
    if (!kept) return null;
    const page = new DOMParser().parseFromString(await kept.text(), "text/html");
    return { key, url, html: page.getElementById("sheet").innerHTML };
  }
}
