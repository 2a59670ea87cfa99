// What waits in this browser: unsent answers and complete sheets, in IndexedDB.
//
// Only IndexedDB with `durability: "strict"` says when an entry is on the disk: a killed browser loses
// what was written to localStorage in the last seconds. Entries are read from memory, which is
// filled once; every change is applied to what is stored then, since other tabs write, too.

const NAME = "paraanno";
const TABLES = ["answers", "sheets"];
const PATIENCE = 3000; // ms; a database that does not open is done without

let opening = null;

function database() {
  opening ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => {
      for (const table of TABLES) asked.result.createObjectStore(table, { keyPath: ["annotator", "place"] });
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
    setTimeout(reject, PATIENCE);
  });
  return opening;
}

const result = (asked) => new Promise((resolve, reject) => {
  asked.onsuccess = () => resolve(asked.result);
  asked.onerror = () => reject(asked.error);
});

/** How many entries of the login `user` wait in this browser. */
export async function waiting(user) {
  const tables = (await database()).transaction(TABLES);
  const rows = await Promise.all(TABLES.map((table) => result(tables.objectStore(table).getAll())));
  return rows.flat().filter((row) => row.user === user).length;
}

export class Store {
  /**
   * The entries of one annotator in `table`. user: their login; heard(): another tab wrote;
   * old: the beginning of names in localStorage, where entries were kept before and are put when
   * the page goes before they are on the disk.
   */
  static async open({ table, annotator, user, old, heard }) {
    const store = new Store({ table, annotator, user, old, heard });
    try {
      const rows = (await database()).transaction(table).objectStore(table);
      const mine = await result(rows.getAll(IDBKeyRange.bound([annotator], [annotator, []])));
      for (const { place, entry } of mine) store.entries.set(place, entry);
    } catch {
      // No database (forbidden, broken): entries are in memory, and leaving the page asks first.
    }
    await store.takeOver();
    return store;
  }

  constructor(given) {
    Object.assign(this, given);
    this.entries = new Map();
    this.writing = new Map(); // place: number of writes on their way
    this.unkept = new Set(); // places that the disk refused
    this.channel = globalThis.BroadcastChannel ? new BroadcastChannel(`${this.table}:${this.annotator}`) : null;
    if (this.channel) this.channel.onmessage = ({ data }) => this.told(data);
  }

  get(place) {
    return this.entries.get(place) ?? null;
  }

  places() {
    return [...this.entries.keys()];
  }

  set(place, entry) {
    if (entry) this.entries.set(place, entry);
    else {
      this.entries.delete(place);
      localStorage.removeItem(this.old + place);
    }
  }

  /**
   * Change an entry: change(entry or null) returns the new one, null to remove it. It is called
   * with what this tab knows, and again with what is stored. Resolves once it is on the disk, or
   * refused (`unkept`).
   */
  async update(place, change) {
    const known = this.get(place);
    const base = this.unkept.has(place) ? () => known : (stored) => stored;
    this.set(place, change(known));
    this.writing.set(place, (this.writing.get(place) ?? 0) + 1);
    let stored = null;
    let kept = true;
    try {
      stored = await this.write(place, (entry) => change(base(entry)));
    } catch {
      kept = false;
    }
    const left = this.writing.get(place) - 1;
    if (left) this.writing.set(place, left);
    else this.writing.delete(place);
    if (!kept) {
      if (this.get(place)) this.unkept.add(place);
      else this.unkept.delete(place);
      return;
    }
    this.unkept.delete(place);
    if (!left) this.set(place, stored);
    this.channel?.postMessage({ place, entry: stored });
  }

  async write(place, change) {
    const { annotator, user, table } = this;
    const work = (await database()).transaction(table, "readwrite", { durability: "strict" });
    const rows = work.objectStore(table);
    const done = new Promise((resolve, reject) => {
      work.oncomplete = resolve;
      work.onabort = () => reject(work.error);
    });
    done.catch(() => null); // Looked at below; a refusal may come before.
    const entry = change((await result(rows.get([annotator, place])))?.entry ?? null);
    if (entry) rows.put({ annotator, user, place, entry });
    else rows.delete([annotator, place]);
    await done;
    return entry;
  }

  told({ place, entry }) {
    if (!this.writing.has(place) && !this.unkept.has(place)) this.set(place, entry);
    this.heard?.();
  }

  /** Entries in localStorage: of versions that kept them there, or of a page that was left. */
  async takeOver() {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(this.old));
    for (const name of names) {
      const place = name.slice(this.old.length);
      const given = JSON.parse(localStorage.getItem(name));
      await this.update(place, (entry) => joined(entry, given));
      if (!this.unkept.has(place)) localStorage.removeItem(name);
    }
  }

  /** The page goes: what is not yet on the disk is written where no answer has to be awaited. */
  leave() {
    for (const place of [...this.writing.keys(), ...this.unkept]) {
      const entry = this.get(place);
      try {
        if (entry) localStorage.setItem(this.old + place, JSON.stringify(entry));
      } catch {
        // Full: the page has asked before it was left.
      }
    }
  }
}

/** The entry that a stored one and a later one at the same place make. */
function joined(stored, later) {
  if (!stored || stored.id === later.id) return later;
  if (stored.tried) return { ...stored, next: later.next ?? later.answer };
  return { ...later, base: stored.base };
}
