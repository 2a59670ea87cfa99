"""A page of an earlier release, still open when the server was renewed, goes on saving."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
OLDER = Path(__file__).with_name("older.js")


def open_older(here, page):
    """The rating page with the older script in place of today's."""
    here.log_in(page.context)
    page.route(
        "**/js/rate/main*.js",
        lambda route: route.fulfill(path=OLDER, content_type="text/javascript"),
    )
    page.goto(here.start)
    page.click("main form .button")
    page.wait_for_function("() => window.older?.sheet()")


def test_an_older_page_judges_a_campaign(world, page):
    here = world()
    open_older(here, page)
    values = []
    for sheet in range(3):
        for number in range(4):
            values.append(value := 1 + (sheet + number) % 5)
            saved = page.evaluate("([at, value]) => older.save(at, value)", [number, value])
            assert (saved["status"], saved["data"]["value"], saved["data"]["version"]) == (
                200,
                value,
                1,
            )
        key = page.evaluate("older.sheet()")
        assert page.evaluate("older.handIn()")["status"] == 200
        following = page.evaluate("older.next()")
        assert following["status"] == 200
        if sheet < 2:
            assert page.evaluate("older.sheet()") == following["data"]["sheet"]["key"] != key
        else:
            assert following["data"]["sheet"] is None
    here.check_counted(values)
