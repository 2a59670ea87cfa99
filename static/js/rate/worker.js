// The service worker of the rating pages: without a connection, and while the site is
// busy, it answers with what kept.js kept.

const SLOW = 5000; // ms; a connection that hangs is none, if the page is kept

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const part = new URL(request.url).pathname.startsWith("/static/");
  // Requests of scripts find out by themselves whether there is a connection.
  if (request.method === "GET" && (part || request.mode === "navigate")) event.respondWith(answer(request));
  // What a page sends as it goes is lost with the page, unless it is sent here.
  else if (request.keepalive) event.respondWith(fetch(request));
});

async function answer(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (!kept) return fetch(request);
  const slow = new Promise((resolve) => { setTimeout(resolve, SLOW, kept); });
  // A site that is busy has no page to show instead.
  const fresh = fetch(request).then((given) => (given.status === 503 ? kept : given), () => kept);
  return Promise.race([fresh, slow]);
}
