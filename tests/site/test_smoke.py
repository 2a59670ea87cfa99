"""The shortest way of an annotator through a real site: log in, rate a sheet, hand it in."""

import pytest

from annotation.models import JudgmentVersion
from tests.annotation.screen import Screen, World
from tests.factories import PASSWORD
from tests.proxy import Proxy


@pytest.mark.browser
@pytest.mark.smoke
def test_who_logs_in_and_presses_digits_has_rated_a_sheet(live_site, page):
    site = live_site()
    site.start("web")
    proxy = Proxy(site.port)
    try:
        world = World(site, proxy)
        page.goto(world.start)
        page.fill("[name=username]", "bob")
        page.fill("[name=password]", PASSWORD)
        page.click("main form [type=submit], main form .button")
        page.click("main form .button")
        page.wait_for_selector(".question.current")
        screen = Screen(world, page)
        screen.settle()
        first = screen.key
        screen.press("Digit4", "Digit2", "Digit5", "Digit3")
        screen.next_after(first)
        world.check_counted([4, 2, 5, 3])
        world.check_history()
        with world.campaign() as campaign:
            saves = JudgmentVersion.objects.filter(judgment__campaign=campaign)
            # They begin with the time, so that the index of ids grows at its end.
            assert {save.request_id.version for save in saves} == {7}
    finally:
        proxy.close()
