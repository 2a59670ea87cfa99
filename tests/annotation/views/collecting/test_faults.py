"""Cut lines, killed servers, lost logins, other people: nothing is lost, doubled or given away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.annotation.views.collecting.screen import SAVES, Screen, World, different
from tests.factories import PASSWORD
from tests.live import Site
from tests.proxy import Proxy

pytestmark = pytest.mark.browser
DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
Worlds = Callable[..., World]
Pages = Callable[..., Any]


def test_the_network_is_cut_and_comes_back(world: Worlds, page: Any) -> None:
    here = world()
    screen = Screen.begin(here, page)
    first = screen.key
    screen.ahead()
    screen.press("Digit5")
    page.wait_for_selector(".question[data-save=saved]")
    here.proxy.set("cut")
    screen.press("Digit4", "Digit3", "Digit1")
    page.wait_for_selector("#save-state[data-state=waiting]")
    # The next sheet was there before the line was cut; the one after it was not.
    screen.next_after(first, saved=False)
    second = screen.key
    screen.press("Digit2", "Digit2", "Digit2", "Digit2")
    page.wait_for_selector("text=Everything is kept here")
    assert screen.key == second
    assert len(screen.unsent()) == 7
    assert here.values() == [5]
    screen.check_shown()
    here.proxy.set("open")
    # Nobody touches anything: the queue empties itself and the next sheet appears.
    screen.next_after(second)
    assert here.values() == [5, 4, 3, 1, 2, 2, 2, 2]
    assert {row[4] for row in here.rows()} == {1}
    assert {row[5] for row in here.rows()} == {"counted"}
    assert screen.unsent() == []
    here.check_history()


def test_the_database_is_away_for_a_while(world: Worlds, page: Any) -> None:
    """503, as the server answers it then: the queue keeps all, tries again, and doubles nothing."""
    here = world()
    screen = Screen.begin(here, page)
    first = screen.key
    refused = []

    def away(route: Any) -> None:
        refused.append(route.request.method)
        body = '{"code": "unavailable", "detail": "Try again."}'
        route.fulfill(status=503, content_type="application/json", body=body)

    page.route(SAVES, away)
    screen.press("Digit2", "Digit3", "Digit4", "Digit5")
    page.wait_for_selector("#save-state[data-state=waiting]")
    with page.expect_response(SAVES):  # It tries again.
        pass
    assert len(refused) > 1
    assert len(screen.unsent()) == 4 and here.values() == []
    page.unroute(SAVES)
    screen.next_after(first)
    assert here.values() == [2, 3, 4, 5] and screen.unsent() == []
    assert {row[4] for row in here.rows()} == {1}
    here.check_history()


def test_answers_get_lost_on_the_way_back(world: Worlds, page: Any) -> None:
    """The server saved, the browser never learnt it: the same request again changes nothing."""
    here = world()
    screen = Screen.begin(here, page)
    first = screen.key
    here.proxy.set("mute")
    screen.press("Digit2", "Digit3")
    here.site.until(lambda: here.values() == [2, 3], "the server has both")
    assert len(screen.unsent()) == 2
    assert screen.shown() == {}
    screen.press("ArrowUp", "ArrowUp", "Digit5")
    here.proxy.set("open")
    page.wait_for_selector(".question[data-save=saved] >> nth=1")
    screen.saved()
    assert here.values() == [5, 3]
    assert sorted(row[4] for row in here.rows()) == [1, 2]
    here.proxy.set("mute")
    screen.press("ArrowDown", "Digit1", "Digit1")
    here.site.until(lambda: here.values() == [5, 3, 1, 1], "the server has all")
    here.proxy.set("open")
    screen.next_after(first)
    here.check_history()


def test_offline_and_the_page_is_closed(world: Worlds, new_page: Pages) -> None:
    here = world()
    page = new_page()
    screen = Screen.begin(here, page)
    page.context.set_offline(True)
    screen.press("Digit5", "Digit4")
    page.wait_for_selector("#save-state[data-state=offline]:has-text('2 kept')")
    address = page.url
    page.close()
    context = page.context
    # Before: a page that goes sends what it has, and may be a moment behind.
    here.proxy.set("cut")
    context.set_offline(False)
    assert here.values() == []
    here.proxy.set("open")

    again = Screen(here, new_page(context=context))
    again.page.goto(address)
    again.page.wait_for_selector(".question[data-save=saved] >> nth=1")
    again.saved()
    assert here.values() == [5, 4]
    again.check_shown()
    assert again.unsent() == []


def test_unsent_answers_are_shown_after_a_reload_and_sent_from_the_start_page(
    world: Worlds, page: Any
) -> None:
    here = world()
    screen = Screen.begin(here, page)
    page.route(SAVES, lambda route: route.abort())
    screen.press("Digit5", "Digit4")
    page.wait_for_selector("#save-state[data-state=waiting]")
    page.reload()
    page.wait_for_selector(".question[data-save=waiting] >> nth=1")
    assert sorted(screen.shown("waiting").values()) == ["4", "5"]
    assert here.values() == []
    page.goto(here.start)
    page.wait_for_selector("#kept:text('Waiting: 2')")
    page.unroute(SAVES)
    page.wait_for_selector("#kept:text('Saved')")
    assert here.values() == [5, 4]
    here.check_history()


@pytest.mark.parametrize("database", DATABASES)
def test_the_server_is_killed_with_answers_waiting(
    live_site: Callable[..., Site], page: Any, database: str
) -> None:
    site = live_site(database=database)
    site.start("web")
    here = World(site, Proxy(site.port))
    screen = Screen.begin(here, page)
    first = screen.key
    screen.press("Digit5", "Digit4")
    site.kill("web")
    site.until(lambda: site.health() is None, "nothing answers")
    screen.press("Digit3", "Digit2")
    page.wait_for_selector("#save-state[data-state=waiting]")
    screen.check_shown()
    site.start("web")
    screen.next_after(first)
    assert here.values() == [5, 4, 3, 2]
    assert screen.unsent() == []
    here.check_history()
    here.proxy.close()


def test_an_expired_login_is_renewed_in_place(world: Worlds, page: Any) -> None:
    here = world()
    screen = Screen.begin(here, page)
    first = screen.key
    screen.press("Digit5")
    page.wait_for_selector(".question[data-save=saved]")
    here.log_out_everybody()
    screen.press("Digit4")
    page.wait_for_selector("#login[open]")
    page.fill("#login-password", "not the password")
    screen.press("Enter")
    page.wait_for_selector("#login-error:not(:empty)")
    assert here.values() == [5]
    # Whoever clears all cookies loses the token too.
    page.context.clear_cookies()
    page.fill("#login-password", PASSWORD)
    screen.press("Enter")
    page.wait_for_selector("#login:not([open])", state="attached")
    page.wait_for_selector(".question[data-save=saved] >> nth=1")
    screen.saved()
    assert here.values() == [5, 4]
    assert screen.key == first
    screen.press("Digit3", "Digit2")
    screen.next_after(first)
    here.check_history()


def test_the_login_expires_before_the_sheet_is_submitted(world: Worlds, page: Any) -> None:
    here = world()
    screen = Screen.begin(here, page)
    first = screen.key
    screen.press("Digit5", "Digit4", "Digit3")
    page.wait_for_selector(".question[data-save=saved] >> nth=2")
    here.log_out_everybody()
    screen.press("Digit2")
    page.wait_for_selector("#login[open]")
    screen.press("Escape")
    page.wait_for_selector("#login:not([open])", state="attached")
    page.click("#attend")
    page.fill("#login-password", PASSWORD)
    screen.press("Enter")
    screen.next_after(first)
    assert here.values() == [5, 4, 3, 2]
    here.check_history()


def test_another_person_logs_in_on_the_same_browser(world: Worlds, page: Any) -> None:
    """Both have the same sheet; what one typed is never saved as the other's."""
    here = world(names=("bob", "ben"), rows=different(1), k=2)
    screen = Screen.begin(here, page)
    here.proxy.set("cut")
    screen.press("Digit5", "Digit4")
    page.wait_for_selector("#save-state[data-state=waiting]")
    here.log_in(page.context, "ben")
    here.proxy.set("open")
    page.wait_for_selector("#message[open]")
    assert "ben" in page.inner_text("#message-text")
    page.click("#message button")
    page.wait_for_url(here.start)
    assert here.values() == [] and here.rows("ben") == []
    assert len(screen.unsent()) == 2

    page.click("main form .button")
    page.wait_for_selector(".question.current")
    assert screen.shown("waiting") == screen.shown() == {}
    screen.settle()
    screen.press("Digit1", "Digit1", "Digit1", "Digit1")
    page.wait_for_url(here.start)
    assert here.values("ben") == [1, 1, 1, 1]
    assert here.values() == []
    assert len(screen.unsent()) == 2

    here.log_in(page.context, "bob")
    page.goto(here.start)
    page.wait_for_selector("#kept:text('Saved')")
    assert here.values() == [5, 4]
    assert here.values("ben") == [1, 1, 1, 1]
    assert screen.unsent() == []
    here.check_history()


def test_in_the_login_dialog_another_person_logs_in(world: Worlds, page: Any) -> None:
    here = world(names=("bob", "ben"), rows=different(1), k=2)
    screen = Screen.begin(here, page)
    here.log_out_everybody()
    screen.press("Digit5")
    page.wait_for_selector("#login[open]")
    page.fill("#login-name", "ben")
    page.fill("#login-password", PASSWORD)
    screen.press("Enter")
    page.wait_for_selector("#message[open]")
    page.click("#message button")
    page.wait_for_url(here.start)
    assert here.rows("bob") == here.rows("ben") == []
    assert len(screen.unsent()) == 1


def test_a_full_storage_warns_and_still_saves(world: Worlds, new_page: Pages) -> None:
    here = world()
    page = new_page()
    page.context.add_init_script(
        "IDBObjectStore.prototype.put = () => {"
        "  throw new DOMException('full', 'QuotaExceededError'); }"
    )
    screen = Screen.begin(here, page)
    page.route(SAVES, lambda route: route.abort())
    screen.press("Digit5")
    page.wait_for_selector("#save-state[data-state=waiting]")
    asked = []

    def stay(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.evaluate("setTimeout(() => window.location.reload())")
    here.site.until(lambda: page.wait_for_timeout(50) or asked, "the page asks before it is left")
    assert asked == ["beforeunload"]
    page.unroute(SAVES)
    page.wait_for_selector(".question[data-save=saved]")
    assert here.values() == [5]


def test_whoever_was_taken_out_of_the_campaign_is_told(world: Worlds, page: Any) -> None:
    from annotation.models import Membership

    here = world()
    screen = Screen.begin(here, page)
    with here.site.database():
        Membership.objects.filter(campaign__slug=here.slug, user__username="bob").delete()
    screen.press("Digit5")
    page.wait_for_selector("#message[open]")
    assert "no longer take part" in page.inner_text("#message-title")
    assert len(screen.unsent()) == 1
