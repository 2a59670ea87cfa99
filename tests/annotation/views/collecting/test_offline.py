"""What a browser keeps: answers over its own death, sheets over a lost line; gone at logout."""

import os
import signal
import subprocess

import pytest

from tests.annotation.screen import Screen
from tests.browser import ARGUMENTS
from tests.needs import chromium_path

pytestmark = pytest.mark.browser
KEPT = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("rate/"));
  const caches_ = await Promise.all(names.map((name) => caches.open(name)));
  const kept = await Promise.all(caches_.map((cache) => cache.keys()));
  return kept.flat().map((request) => request.url);
}"""


class Mortal:
    """A Chromium of its own on a folder of its own, which can be killed."""

    def __init__(self, browser, folder, here):
        port = folder / "DevToolsActivePort"
        port.unlink(missing_ok=True)
        more = ["--headless", "--remote-debugging-port=0", f"--user-data-dir={folder}"]
        argv = [str(chromium_path()), *ARGUMENTS, *more]
        self.process = subprocess.Popen(argv, stderr=subprocess.DEVNULL, start_new_session=True)
        here.site.until(lambda: port.exists() and port.read_text().count("\n"), "Chromium listens")
        address = f"http://127.0.0.1:{port.read_text().split()[0]}"
        self.browser = browser.browser_type.connect_over_cdp(address)
        self.page = self.browser.contexts[0].new_page()

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def test_answers_survive_a_browser_that_is_killed(world, chromium, tmp_path):
    here = world()
    first = Mortal(chromium, tmp_path, here)
    try:
        screen = Screen.begin(here, first.page)
        address = first.page.url
        here.proxy.set("cut")
        screen.digits("543")
        screen.wait("#save-state[data-state=waiting]")
        here.site.until(lambda: len(screen.unsent()) == 3, "the database has them")
    finally:
        first.kill()
    here.proxy.set("open")
    again = Mortal(chromium, tmp_path, here)
    try:
        here.log_in(again.page.context)  # The cookies of a session die with the browser.
        again.page.goto(address)
        again.page.wait_for_selector(".question[data-save=saved] >> nth=2")
        assert here.values() == [5, 4, 3]
    finally:
        again.kill()


def test_answers_that_an_older_version_left_are_sent(screen):
    page = screen.page
    page.evaluate(
        """() => {
          const { annotator } = document.getElementById("rate").dataset;
          const box = document.querySelector(".question");
          const place = [document.querySelector("form.sheet").dataset.sheet,
            box.closest("li").dataset.substitution, box.dataset.scale].join("/");
          localStorage.setItem(`paraanno:${annotator}:${place}`, JSON.stringify({
            id: crypto.randomUUID(), base: 0, answer: { value: 4, reason: "", comment: "" },
            tried: false, about: { text: "", name: "" } }));
        }"""
    )
    page.goto(screen.world.start)
    screen.wait("#kept:text('Saved')")
    assert screen.values() == [4]
    assert page.evaluate("Object.keys(localStorage).filter((one) => one.includes('/'))") == []
    assert screen.unsent() == []


def test_the_page_loads_without_a_connection_until_the_logout(screen):
    page, here, first = screen.page, screen.world, screen.key
    screen.ahead()
    screen.digits("5")
    screen.saved(1)
    sheets = f"/rate/{here.slug}/"
    page.wait_for_function("navigator.serviceWorker.controller")
    here.site.until(
        lambda: sum(sheets in one for one in page.evaluate(KEPT)) == 2, "two sheets are kept"
    )
    page.wait_for_timeout(300)  # The saved answer is written to the kept page, too.
    here.proxy.set("cut")
    screen.digits("4")
    screen.wait("#save-state[data-state=waiting]")
    page.reload()
    screen.wait(".question.current")
    assert list(screen.shown().values()) == ["5"]
    assert list(screen.shown("waiting").values()) == ["4"]
    page.wait_for_timeout(1000)  # The next sheet is looked for, on the line and then here.
    screen.finish("32", saved=False)
    screen.digits("1")
    messages = []

    def stay(dialog):
        messages.append(dialog.message)
        dialog.dismiss()

    page.once("dialog", stay)
    page.click("#logout button")
    here.site.until(lambda: page.wait_for_timeout(50) or messages, "the logout asks")
    assert "not been sent: 5." in messages[0]
    assert screen.key != first
    here.proxy.set("open")
    screen.saved()
    assert here.values() == [5, 4, 3, 2, 1]
    page.click("#logout button")
    page.wait_for_url("**/accounts/login/")
    here.site.until(lambda: page.evaluate(KEPT) == [], "nothing is kept")
