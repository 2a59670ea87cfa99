"""Contact sheets: every page of a researcher on a running demo, small, in a few pictures.

    PARAANNO_DATA_DIR=... python -m tools.contact_sheets http://127.0.0.1:8000 FOLDER

Each sheet is of a width, a colour scheme and a language. Beside the pictures, `findings.tsv` lists
what scrolls sideways, what axe finds, and English sentences on Korean pages. `--only WORD` takes
the pages with the word in their name, `--looks 390-dark-ko` some of the eight looks.
"""

from __future__ import annotations

import argparse
import html
import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

LOOKS = [
    f"{width}-{scheme}-{language}"
    for width, scheme, language in product((1280, 390), ("light", "dark"), ("en", "ko"))
]
TALLEST = {1280: 2400, 390: 3600}  # px of a page that are shown
EACH = {1280: (8, 4, 420), 390: (12, 6, 260)}  # pages of a sheet, of its row; px of a picture
SETTLED = """() => !document.querySelector(
  '#report-state:is([hx-get], [data-fill]), [hx-trigger="load"]'
)"""
ENGLISH = r"""() => {
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (walk.nextNode()) {
    const one = walk.currentNode.parentElement;
    if (one.closest("script, style, code, pre, [lang=en], [dir=auto], option, .texts")) continue;
    if (!one.checkVisibility()) continue;
    const text = walk.currentNode.data.trim();
    if (/[가-힣]/.test(text) || !/\b[a-z]{3,} [a-z]{2,} [a-z]{2,}\b/.test(text)) continue;
    found.add(text.slice(0, 80));
  }
  return [...found].slice(0, 5);
}"""


def pages(only: str) -> dict[str, str]:
    """The addresses of the pages, by name."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "paraanno.settings")
    django.setup()
    from tests.site.test_short_pages import addresses

    more = {"home": "/", "campaign-new": "/campaigns/new/"}
    return {name: one for name, one in (more | addresses()).items() if only in name}


def password() -> str:
    lines = Path(os.environ["PARAANNO_DATA_DIR"], "demo_logins.txt").read_text("utf-8").splitlines()
    return next(line.split("\t")[1] for line in lines if line.startswith("researcher\t"))


def shoot(
    browser: Any, site: str, look: str, wanted: dict[str, str], folder: Path, *, axe: bool
) -> Iterator[tuple[str, str, str]]:
    """Take a picture of each page; yield name, kind and text of what is wrong there."""
    from playwright.sync_api import TimeoutError

    from tests.axe import violations

    width, scheme, language = int(look.split("-")[0]), *look.split("-")[1:]
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        locale=language,
        has_touch=width < 500,
    )
    context.add_cookies([{"name": "django_language", "value": language, "url": site}])
    context.set_default_timeout(90_000)
    page = context.new_page()
    page.goto(f"{site}/accounts/login/")
    page.fill("[name=username]", "researcher")
    page.fill("[name=password]", password())
    page.click("main form .button")
    for name, address in wanted.items():
        answer = page.goto(f"{site}{address}")
        try:
            page.wait_for_function(SETTLED)
        except TimeoutError:
            yield name, "unsettled", page.inner_text("#report-state")
        page.wait_for_timeout(300)
        if answer.status != 200:
            yield name, "status", str(answer.status)
        if (real := page.evaluate("document.documentElement.scrollWidth")) > width:
            yield name, "sideways", str(real)
        tall = page.evaluate("document.documentElement.scrollHeight")
        if axe:
            yield from ((name, "axe", str(one)[:300]) for one in violations(page))
        if language == "ko":
            yield from ((name, "english", one) for one in page.evaluate(ENGLISH))
        clip = {"x": 0, "y": 0, "width": width, "height": min(tall, TALLEST[width])}
        page.screenshot(path=folder / f"{look}-{name}.png", full_page=True, clip=clip)
    context.close()


def lay_out(browser: Any, look: str, names: list[str], folder: Path) -> None:
    """Put the pictures of a look onto sheets."""
    width = int(look.split("-")[0])
    number, columns, small = EACH[width]
    for at in range(0, len(names), number):
        cells = "".join(
            f"<figure><figcaption>{html.escape(name)}</figcaption>"
            f"<img src='{look}-{name}.png' width={small}></figure>"
            for name in names[at : at + number]
        )
        style = (
            f"body{{display:grid;grid-template-columns:repeat({columns},{small}px);gap:8px;"
            "margin:8px;font:12px sans-serif;background:#888}figure{margin:0}"
        )
        sheet = folder / f"sheet-{look}-{at // number + 1}.html"
        sheet.write_text(f"<meta charset=utf-8><style>{style}</style>{cells}", "utf-8")
        page = browser.new_page(viewport={"width": columns * (small + 8) + 8, "height": 600})
        page.goto(sheet.absolute().as_uri())
        page.screenshot(path=sheet.with_suffix(".png"), full_page=True)
        page.close()
        sheet.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--looks", nargs="*", default=LOOKS, choices=LOOKS)
    parser.add_argument("--axe", action="store_true", help="also what axe finds, which is slow")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    from tests.browser import launched

    wanted = pages(given.only)
    with launched() as browser, (given.folder / "findings.tsv").open("a", encoding="utf-8") as file:
        for look in given.looks:
            site = given.site.rstrip("/")
            for finding in shoot(browser, site, look, wanted, given.folder, axe=given.axe):
                print(look, *finding, sep="\t", file=file, flush=True)
            lay_out(browser, look, list(wanted), given.folder)


if __name__ == "__main__":
    main()
