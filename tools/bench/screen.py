"""From a key to the next question, in Chromium slowed down four times."""

from __future__ import annotations

import os
import statistics
from typing import Any

from tests import browser, needs
from tests.annotation.screen import Screen, World
from tests.live import Site
from tests.proxy import Proxy
from tools.bench.table import line, note

SUBSTITUTIONS, SHEETS, SLOWER = 12, 5, 4
WATCH = """() => {
  window.took = [];
  let at = 0;
  document.addEventListener("keydown", () => { at = performance.now(); }, { capture: true });
  document.addEventListener("focusin", () => {
    if (!at) return;
    const from = at;
    at = 0;
    const focus = performance.now() - from;
    const painted = () => window.took.push([focus, performance.now() - from]);
    requestAnimationFrame(() => setTimeout(painted));
  });
}"""


def measure(database: str, seconds: int) -> None:
    """Independent of the database; `seconds` has no say."""
    if database != "sqlite" or (reason := needs.missing("browser")) is not None:
        note("not run: " + ("measured once, on sqlite" if database != "sqlite" else str(reason)))
        return
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright has a loop in this thread.
    site = Site(database=database)
    site.start("web")
    proxy = Proxy(site.port)
    try:
        with browser.launched() as chromium:
            here = World(site, proxy, rows=_rows())
            took = _rate(here, chromium.new_page(viewport={"width": 1280, "height": 860}))
    finally:
        proxy.close()
        site.close()
    for at, what in enumerate(("focus", "painted")):
        times = sorted(one[at] for one in took)
        name = f"key to next {what}, {SUBSTITUTIONS} substitutions"
        line(f"{name}, p50", statistics.median(times), "ms")
        goal = 50 if what == "focus" else None
        line("    p95", statistics.quantiles(times, n=100)[94], "ms", goal=goal)


def _rows() -> list[dict[str, Any]]:
    sentence = "On that day the ministers agreed to put an end to the long dispute over {} rights ."
    phrase = "put an end to"
    start = sentence.index(phrase)
    return [
        {
            "item": str(item),
            "phrase": phrase,
            "sentence": sentence.format(item),
            "start": str(start),
            "end": str(start + len(phrase)),
            "paraphrase": f"bring number {number} to an end",
            "system": f"S{number}",
        }
        for item in range(SHEETS)
        for number in range(SUBSTITUTIONS)
    ]


def _rate(here: World, page: Any) -> list[list[float]]:
    screen = Screen.begin(here, page)
    slow = page.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.evaluate(WATCH)
    for sheet in range(SHEETS):
        key = screen.key
        for place in range(2 * SUBSTITUTIONS):
            screen.press(f"Digit{1 + (sheet + place) % 5}")
            page.wait_for_timeout(60)
        if sheet < SHEETS - 1:
            screen.next_after(key)
    return list(page.evaluate("window.took"))
