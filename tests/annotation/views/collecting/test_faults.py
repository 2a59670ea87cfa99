"""Cut lines, killed servers, lost logins, other people: nothing is lost, doubled or given away."""

import re

import pytest

from tests.annotation.screen import SAVES, Screen, World, different
from tests.factories import PASSWORD
from tests.proxy import Proxy

pytestmark = pytest.mark.browser
WAITING = "#save-state[data-state=waiting]"


def sign_in(screen, password, name="bob"):
    """In the dialog that opens where a login has ended."""
    screen.wait("#login[open]")
    screen.page.fill("#login-name", name)
    screen.page.fill("#login-password", password)
    screen.press("Enter")


def versions(screen):
    return sorted(row[4] for row in screen.world.rows())


def test_the_network_is_cut_and_comes_back(screen):
    screen.ahead()
    screen.digits("5")
    screen.wait(".question[data-save=saved]")
    screen.world.proxy.set("cut")
    # The next sheet was there before the line was cut; the one after it was not.
    screen.finish("431", saved=False)
    second = screen.key
    screen.digits("2222")
    screen.wait("#hint:text('Your answers are kept; the next sheet needs a connection.')")
    screen.wait(WAITING)
    assert screen.key == second
    assert len(screen.unsent()) == 7 and screen.values() == [5]
    screen.check_shown()
    screen.world.proxy.set("open")
    # Nobody touches anything: the queue empties itself and the next sheet appears.
    screen.next_after(second)
    assert screen.values() == [5, 4, 3, 1, 2, 2, 2, 2]
    assert {row[4:] for row in screen.world.rows()} == {(1, "counted")}
    assert screen.unsent() == []


def test_several_sheets_are_judged_without_a_connection(world, page):
    """As many as were fetched ahead, over a reload; others get back what was fetched in vain."""
    here = world(rows=different(12), names=("bob", "ann"))
    screen = Screen.begin(here, page)
    screen.ahead(4)
    page.wait_for_function("navigator.serviceWorker.controller")
    page.wait_for_timeout(300)  # Pages are kept soon after.
    with here.campaign() as campaign:
        assert campaign.slots.filter(state="claimed").count() == 5
    here.proxy.set("cut")
    screen.digits("5")
    page.reload()
    screen.wait(".question.current")
    screen.finish("431", saved=False)
    for digit in "123":
        screen.finish(digit * 4, saved=False)
    screen.digits("4444")
    screen.wait("#hint:text('the next sheet needs a connection')")
    assert here.values() == []
    here.proxy.set("open")
    last = screen.key
    screen.next_after(last)
    assert here.values() == [5, 4, 3, *[1] * 5, *[2] * 4, *[3] * 4, *[4] * 4]
    here.check_history()
    here.site.until(lambda: claimed(here) > 2, "some are fetched ahead again")
    page.wait_for_timeout(500)
    page.goto("about:blank")
    here.site.until(lambda: claimed(here) <= 1, "what was fetched ahead is given back")


def claimed(here):
    with here.campaign() as campaign:
        return campaign.slots.filter(state="claimed").count()


def test_the_database_is_away_for_a_while(screen):
    """503, as the server answers it then: the queue keeps all, tries again, and doubles nothing."""
    first = screen.key
    refused = []

    def away(route):
        refused.append(route.request.method)
        body = '{"code": "unavailable", "detail": "Try again."}'
        route.fulfill(status=503, content_type="application/json", body=body)

    screen.page.route(SAVES, away)
    screen.digits("2345")
    screen.wait(WAITING)
    with screen.page.expect_response(SAVES):  # It tries again.
        pass
    assert len(refused) > 1
    assert len(screen.unsent()) == 4 and screen.values() == []
    screen.page.unroute(SAVES)
    screen.next_after(first)
    assert screen.values() == [2, 3, 4, 5] and screen.unsent() == []
    assert versions(screen) == [1] * 4


def test_a_busy_site_is_left_alone_for_as_long_as_it_asks(screen):
    """The page says so, shows the sheet that was fetched ahead, and sends everything afterwards."""
    screen.ahead()
    first, asked, clock = screen.key, [], screen.page.clock

    def busy(route):
        asked.append(route.request.headers["x-paraanno-patience"])
        route.fulfill(status=503, headers={"Retry-After": "60"}, json={"code": "busy"})

    screen.page.route(re.compile(r"/api/v1/"), busy)
    clock.install()
    screen.digits("2345")
    screen.wait(f"form.sheet:not([data-sheet='{first}'])")
    screen.wait("#hint:text('The site is busy; your answers are kept here and will be sent.')")
    screen.wait(WAITING)
    screen.settle()
    sent = len(asked)
    screen.digits("11")
    clock.run_for(30_000)
    assert len(screen.unsent()) == 6 and screen.values() == []
    assert len(asked) == sent and {*asked} == {"10000"}
    screen.page.unroute(re.compile(r"/api/v1/"))
    clock.run_for(60_000)  # At most half of it comes on top.
    screen.world.site.until(lambda: len(screen.values()) == 6, "everything is sent")
    assert screen.values() == [2, 3, 4, 5, 1, 1] and screen.unsent() == []
    screen.wait("#hint:not(:text('The site is busy'))", "attached")
    assert versions(screen) == [1] * 6


def test_answers_get_lost_on_the_way_back(screen):
    """The server saved, the browser never learnt it: the same request again changes nothing."""
    first, here = screen.key, screen.world
    here.proxy.set("mute")
    screen.digits("23")
    here.site.until(lambda: here.values() == [2, 3], "the server has both")
    assert len(screen.unsent()) == 2 and screen.shown() == {}
    screen.press("ArrowUp", "ArrowUp", "Digit5")
    here.proxy.set("open")
    screen.saved(2)
    assert here.values() == [5, 3] and versions(screen) == [1, 2]
    here.proxy.set("mute")
    screen.press("ArrowDown", "Digit1", "Digit1")
    here.site.until(lambda: here.values() == [5, 3, 1, 1], "the server has all")
    here.proxy.set("open")
    screen.next_after(first)


def test_offline_and_the_page_is_closed(world, new_page):
    here = world()
    page = new_page()
    screen = Screen.begin(here, page)
    page.context.set_offline(True)
    screen.digits("54")
    screen.wait("#save-state[data-state=offline]:has-text('2 kept')")
    page.close()
    # Before: a page that goes sends what it has, and may be a moment behind.
    here.proxy.set("cut")
    page.context.set_offline(False)
    assert here.values() == []
    here.proxy.set("open")

    again = Screen(here, new_page(context=page.context))
    again.page.goto(page.url)
    again.saved(2)
    assert here.values() == [5, 4]
    again.check_shown()
    assert again.unsent() == []


def test_unsent_answers_are_shown_after_a_reload_and_sent_from_the_start_page(
    screen,
):
    screen.page.route(SAVES, lambda route: route.abort())
    screen.digits("54")
    screen.wait(WAITING)
    screen.page.reload()
    screen.wait(".question[data-save=waiting] >> nth=1")
    assert sorted(screen.shown("waiting").values()) == ["4", "5"]
    assert screen.values() == []
    screen.page.goto(screen.world.start)
    screen.wait("#kept:text('Waiting: 2')")
    screen.page.unroute(SAVES)
    screen.wait("#kept:text('Saved')")
    assert screen.values() == [5, 4]


def test_the_server_is_killed_with_answers_waiting(live_site, page):
    site = live_site()
    site.start("web")
    here = World(site, Proxy(site.port))
    screen = Screen.begin(here, page)
    first = screen.key
    screen.digits("54")
    site.kill("web")
    site.until(lambda: site.health() is None, "nothing answers")
    screen.digits("32")
    screen.wait(WAITING)
    screen.check_shown()
    site.start("web")
    screen.next_after(first)
    assert here.values() == [5, 4, 3, 2] and screen.unsent() == []
    here.check_history()
    here.proxy.close()


def test_an_expired_login_is_renewed_in_place(screen):
    first = screen.key
    screen.digits("5")
    screen.saved(1)
    screen.world.log_out_everybody()
    screen.digits("4")
    sign_in(screen, "not the password")
    screen.wait("#login-error:not(:empty)")
    assert screen.values() == [5]
    # Whoever clears all cookies loses the token too.
    screen.page.context.clear_cookies()
    sign_in(screen, PASSWORD)
    screen.wait("#login:not([open])", "attached")
    screen.saved(2)
    assert screen.values() == [5, 4] and screen.key == first
    screen.finish("32")


def test_the_login_expires_before_the_sheet_is_submitted(screen):
    first = screen.key
    screen.digits("543")
    screen.saved(3)
    screen.world.log_out_everybody()
    screen.digits("2")
    screen.wait("#login[open]")
    screen.press("Escape")
    screen.wait("#login:not([open])", "attached")
    screen.page.click("#attend")
    sign_in(screen, PASSWORD)
    screen.next_after(first)
    assert screen.values() == [5, 4, 3, 2]


def test_another_person_logs_in_on_the_same_browser(world, page):
    """Both have the same sheet; what one typed is never saved as the other's."""
    here = world(names=("bob", "ben"), rows=different(1), k=2)
    screen = Screen.begin(here, page)
    here.proxy.set("cut")
    screen.digits("54")
    screen.wait(WAITING)
    here.log_in(page.context, "ben")
    here.proxy.set("open")
    screen.wait("#message[open]")
    assert "ben" in page.inner_text("#message-text")
    page.click("#message button")
    page.wait_for_url(here.start)
    assert here.values() == here.rows("ben") == []
    assert len(screen.unsent()) == 2

    page.click("main form .button")
    screen.wait(".question.current")
    assert screen.shown("waiting") == screen.shown() == {}
    screen.settle()
    screen.digits("1111")
    page.wait_for_url(here.start)
    assert (here.values("ben"), here.values()) == ([1, 1, 1, 1], [])
    assert len(screen.unsent()) == 2

    here.log_in(page.context)
    page.goto(here.start)
    screen.wait("#kept:text('Saved')")
    assert (here.values("ben"), here.values()) == ([1, 1, 1, 1], [5, 4])
    assert screen.unsent() == []


def test_in_the_login_dialog_another_person_logs_in(world, page):
    here = world(names=("bob", "ben"), rows=different(1), k=2)
    screen = Screen.begin(here, page)
    here.log_out_everybody()
    screen.digits("5")
    sign_in(screen, PASSWORD, "ben")
    screen.wait("#message[open]")
    page.click("#message button")
    page.wait_for_url(here.start)
    assert here.rows() == here.rows("ben") == []
    assert len(screen.unsent()) == 1


def test_a_full_storage_warns_and_still_saves(world, page):
    page.context.add_init_script(
        "IDBObjectStore.prototype.put = () => {"
        "  throw new DOMException('full', 'QuotaExceededError'); }"
    )
    screen = Screen.begin(world(), page)
    page.route(SAVES, lambda route: route.abort())
    screen.digits("5")
    screen.wait(WAITING)
    asked = []

    def stay(dialog):
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.evaluate("setTimeout(() => window.location.reload())")
    until = screen.world.site.until
    until(lambda: page.wait_for_timeout(50) or asked, "the page asks before it is left")
    assert asked == ["beforeunload"]
    page.unroute(SAVES)
    screen.wait(".question[data-save=saved]")
    assert screen.values() == [5]


def test_whoever_was_taken_out_of_the_campaign_is_told(screen):
    with screen.world.campaign() as campaign:
        campaign.memberships.filter(user__username="bob").delete()
    screen.digits("5")
    screen.wait("#message[open]")
    assert "no longer take part" in screen.page.inner_text("#message-title")
    assert len(screen.unsent()) == 1
