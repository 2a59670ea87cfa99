"""The pictures of the documentation, taken of a demo.

`python -m tests.site.gallery URL LOGINS` takes them anew into docs/images, of a demo that runs
there; LOGINS is its `demo_logins.txt`.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests import HOME
from tests.browser import Pages, launched

WORDS = "is being made|are being computed|is recomputing it"
RATED = ("Digit5", "Digit4", "Digit2")


@dataclass(frozen=True)
class Screen:
    """`keys` are pressed on the rating screen, and taken back after the picture."""

    name: str
    path: str
    shows: str  # What must be there.
    size: tuple[int, int] = (1280, 800)
    keys: tuple[str, ...] = ()
    options: dict = field(default_factory=dict)


PHONE = {"device_scale_factor": 2}
RATING = ("/rate/demo/", ".question.current")
SCREENS = [
    Screen("rating.png", *RATING, keys=RATED),
    Screen("rating-ko.png", *RATING, keys=RATED, options={"locale": "ko-KR"}),
    Screen("rating-phone.png", *RATING, (390, 844), keys=RATED, options=PHONE),
    Screen("agreement.png", "/c/demo/agreement/", "[data-verdict]", (1280, 1640)),
    Screen("correlation.png", "/c/demo/correlation/", "main h1", (1280, 1000)),
]


def take(screen, pages, url, logins, folder, *, complete=False):
    """Take one picture; of a site with workers a `complete` one, with all that they compute."""
    width, height = screen.size
    page = pages.open(viewport={"width": width, "height": height}, **screen.options)
    page.goto(f"{url}/accounts/login/?next={screen.path}")
    name = "annotator" if screen.keys else "researcher"
    page.fill("[name=username]", name)
    page.fill("[name=password]", logins[name])
    page.press("[name=password]", "Enter")
    page.wait_for_url(lambda there: "login" not in there)
    if screen.keys:
        page.click("main form .button")
        page.wait_for_selector(".question.current")
        page.wait_for_selector("form.sheet:not([data-fresh])")
    for number, key in enumerate(screen.keys, 1):
        press(page, key, number)
    page.wait_for_selector(screen.shows)
    if complete:
        page.wait_for_function(f"() => !/{WORDS}/.test(document.body.innerText)")
    page.screenshot(path=folder / screen.name)
    for number in reversed(range(len(screen.keys))):
        press(page, "u", number)
    page.context.close()


def press(page, key, number):
    """Press a key and wait until so many answers are stored."""
    page.keyboard.press(key)
    page.wait_for_function(
        "n => document.querySelectorAll('.question[data-save=saved]').length === n", arg=number
    )
    page.wait_for_selector("#save-state[data-state=saved]")


def read_logins(path):
    lines = path.read_text("utf-8").splitlines()
    return dict(line.split("\t")[:2] for line in lines if "\t" in line)


def main(url, logins):
    with launched() as browser:
        for screen in SCREENS:
            folder = HOME / "docs" / "images"
            take(screen, Pages(browser), url, read_logins(Path(logins)), folder, complete=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
