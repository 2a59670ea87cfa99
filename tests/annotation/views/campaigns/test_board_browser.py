"""The board in Chromium: what it asks for, and what stays where it is meanwhile."""

import pytest

pytestmark = pytest.mark.browser
PERIOD = 10_000  # ms between two polls


def test_polls_keep_the_place_and_rest_when_nobody_looks(world, new_page):
    place = world()
    page = new_page(viewport={"width": 800, "height": 300})
    place.log_in(page.context, "alice")
    polls = []

    def with_news(route):
        polls.append(route.request.url)
        route.continue_(headers={**route.request.headers, "if-none-match": ""})

    def later(times=1):
        """How many polls begin in so many periods."""
        before = len(polls)
        for _ in range(times):
            page.clock.fast_forward(PERIOD)
            page.wait_for_timeout(100)
        return len(polls) - before

    page.route("**/board/live/", with_news)
    page.clock.install()
    page.goto(f"{place.proxy.url}/c/{place.slug}/board/")
    page.focus("#board-rules")
    page.evaluate("() => scrollTo(0, 120)")
    page.evaluate("() => { document.querySelector('#board-live > div').id = 'before'; }")
    assert later() == 1
    page.wait_for_selector("#before", state="detached")
    assert page.evaluate("() => [document.activeElement.id, scrollY]") == ["board-rules", 120]

    page.click("#board-hold")
    assert later(3) == 0 and "updates paused since" in page.inner_text("#board-time")
    page.click("#board-hold")
    page.wait_for_function("() => document.getElementById('board-time').innerText.startsWith('as')")
    assert page.evaluate("""() => {
        Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
        return document.hidden;
    }""")
    assert later(3) == 0
    page.evaluate("() => { delete document.hidden; }")

    page.context.set_offline(True)
    later(5)
    page.wait_for_selector("#board-time:text('no answer since')")
    assert page.locator("#board-rules").count() == 1
    page.context.set_offline(False)
    later()
    page.wait_for_selector("#board-time:text('as of')")
