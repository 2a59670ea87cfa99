"""The page in the docs shows every token and component that the pages use, and axe likes it."""

import re

import pytest

from tests import HOME, axe

PAGE = HOME / "docs" / "design-system.html"
TOKENS = (HOME / "static/css/tokens.css").read_text("utf-8")


def test_every_token_is_shown_and_none_that_is_not_there():
    tokens = set(re.findall(r"--([\w-]+):", TOKENS))
    assert set(re.findall(r"--([\w-]+)", PAGE.read_text("utf-8"))) == tokens


def test_sizes_and_colours_are_numbers_in_one_place():
    for name in ("base", "components", "rooms", "charts", "rate"):
        css = (HOME / f"static/css/{name}.css").read_text("utf-8")
        allowed = {"#fff", "#000"}
        assert set(re.findall(r"#[0-9a-f]{3,8}\b", css)) <= allowed, name


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return sum(share * one for share, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    """WCAG 2.2, contrast ratio."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_contrasts(scheme):
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", TOKENS.split("@media")[scheme]))
    texts = [
        (ink, ground)
        for ink in ("ink", "ink-soft", "accent", "bad")
        for ground in ("ground", "surface", "sunken")
    ]
    texts += [("accent-ink", "accent"), ("ink", "mark-old"), ("ink", "mark-new")]
    texts += [(state, f"{state}-soft") for state in ("good", "warn", "bad")]
    for ink, ground in texts:
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    for line in ("line-strong", "focus", "accent"):
        assert contrast(colours[line], colours["surface"]) >= 3, line


@pytest.mark.browser
def test_the_page(new_page):
    page = new_page(viewport={"width": 390, "height": 800})
    page.goto(PAGE.as_uri())
    assert axe.violations_light_and_dark(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # Each class that the page shows has a rule in the product's own style sheets.
    sheets = "".join(one.read_text("utf-8") for one in (HOME / "static/css").glob("*.css"))
    sheets += (HOME / "docs/design-system.css").read_text("utf-8")
    every = "[...document.querySelectorAll('[class]')].flatMap((one) => [...one.classList])"
    assert [name for name in set(page.evaluate(every)) if f".{name}" not in sheets] == []
