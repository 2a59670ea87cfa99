"""Chromium for browser tests, driven by Playwright."""

import os
from contextlib import contextmanager

from tests.needs import chromium_path

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# PARAANNO_TEST_SLOWED=6 makes every page so many times slower, which shows the tests that read at
# once what comes a moment later.
SLOWED = float(os.environ.get("PARAANNO_TEST_SLOWED", "1"))
TIMEOUT = 90_000  # ms; long, because several processes share the machine


@contextmanager
def launched():
    """The machine's own Chromium, without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


class Pages:
    """Pages of one test, and what went wrong in their scripts."""

    def __init__(self, browser):
        self.browser = browser
        self.contexts = []
        self.problems = []

    def open(self, *, context=None, **options):
        """A new page; `options` go to the new context (viewport, java_script_enabled, ...)."""
        if context is None:
            context = self.browser.new_context(**options)
            context.set_default_timeout(TIMEOUT)
            self.contexts.append(context)
        page = context.new_page()
        if SLOWED > 1:
            tools = context.new_cdp_session(page)
            tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        page.on("pageerror", lambda error: self.problems.append(f"script: {error}"))
        page.on("console", self._note)
        return page

    def _note(self, message):
        if "Content Security Policy" in message.text:
            self.problems.append(message.text)

    def close(self):
        for context in self.contexts:
            context.close()


def fits(page, width):
    """Whether nothing has to be scrolled sideways in a window of `width` pixels."""
    from playwright.sync_api import TimeoutError as TooLate

    page.set_viewport_size({"width": width, "height": 800})
    # A function and no expression: the content security policy forbids a second look at that.
    told = "width => innerWidth === width && document.documentElement.scrollWidth <= width"
    if page.evaluate(told, width):
        return True  # To wait is to draw it, too, which takes longer.
    try:
        page.wait_for_function(told, arg=width, timeout=10_000)
    except TooLate:
        return False
    return True
