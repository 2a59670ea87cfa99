"""A page of an earlier release, still open when the server was renewed, goes on saving."""

from pathlib import Path

import pytest

from tests.annotation.views.collecting.screen import Screen

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


def test_an_older_page_beside_one_of_today(world, page, new_page):
    """A request that is repeated changes nothing, a stale one is refused with what is stored, and
    an incomplete sheet is not taken."""
    here = world()
    open_older(here, page)
    request = "6a4e2bd0-3f57-4bb0-9a4c-0d0e5f6a7b8c"
    for repeated in (False, True):
        saved = page.evaluate("id => older.save(0, 5, id)", request)["data"]
        assert (saved["version"], saved["repeated"]) == (1, repeated)
    beside = new_page(context=page.context)
    beside.goto(page.url)
    screen = Screen(here, beside)
    screen.wait(".question.current")
    screen.settle()
    assert screen.key == page.evaluate("older.sheet()")
    screen.digits("4")
    screen.wait(".question[data-save=saved] >> nth=1")
    stale = page.evaluate("older.save(1, 2)")
    assert (stale["status"], stale["data"]["code"]) == (409, "stale")
    assert stale["data"]["stored"]["value"] == 4
    incomplete = page.evaluate("older.handIn()")
    assert (incomplete["status"], incomplete["data"]["code"]) == (409, "incomplete")
    assert page.evaluate("older.save(1, 2, crypto.randomUUID(), 1)")["data"]["version"] == 2
    assert here.values() == [5, 2]
