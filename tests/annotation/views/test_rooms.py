"""The rooms of a campaign: which pages stand in them, for whom, and which is the current one."""

from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import gettext_lazy

import paraanno.urls  # noqa: F401  # Pages register with their addresses.
from annotation.campaigns.services import campaign_create
from annotation.http import pages as http_pages
from annotation.http.pages import ROOMS, TABS, Tab, add_tabs
from annotation.models import Campaign
from tests.clients import client_of, html_of
from tests.factories import (
    add_items,
    give_role,
    item_rows,
    make_annotator,
    make_user,
    open_campaign,
    rate_all,
)

LABEL = gettext_lazy("People")


def rooms_of(name, page):
    answer = client_of(name).get(f"/c/camp/{page}")
    assert answer.status_code == 200
    return answer.context["rooms"]


def current(rooms):
    pages = [(room, one) for room in rooms for one in room["pages"] if one["current"]]
    assert all(room["current"] for room, _ in pages)
    return [(room["name"], one["url"]) for room, one in pages]


def test_every_room_has_pages_of_its_own():
    assert {tab.room for tab in TABS} == set(ROOMS)
    names = [name for tab in TABS for name in (tab.name, *tab.pages)]
    assert len(names) == len(set(names))


def test_a_page_without_a_tab_belongs_to_that_of_another(campaign):
    for page in ("settings/", "scales/new/", f"scales/{campaign.scales.all()[0].key}/"):
        assert current(rooms_of("dora", page)) == [("setup", "/c/camp/settings/")], page


def test_everybody_sees_the_pages_that_they_may_open(campaign):
    owner, viewer = (
        {
            room["name"]: {one["url"].removeprefix("/c/camp/") for one in room["pages"]}
            for room in rooms_of(name, "board/")
        }
        for name in ("dora", "vera")
    )
    assert list(owner) == list(ROOMS)
    assert {"import/", "settings/", "practice/", "quality/"} <= owner["setup"]
    assert viewer["setup"] == {"guidelines/"}
    assert owner["collect"] - viewer["collect"] == {"people/", "groups/", "panels/"}
    assert "audit/" in owner["publish"] and "audit/" not in viewer["publish"]


def test_rooms_in_which_there_is_nothing_stand_behind_the_others():
    """None is out of reach, and a link leads to a page with something on it."""

    def ways(name="dora", page="settings/"):
        rooms = rooms_of(name, page)
        shown = {room["name"]: room["url"].split("/")[3] for room in rooms if not room["empty"]}
        html = html_of(client_of(name).get(f"/c/camp/{page}"))
        assert all(f'href="{room["url"]}" data-key="{room["key"]}"' in html for room in rooms)
        assert ("empty-rooms" in html) == (len(shown) < len(rooms))
        return shown

    campaign = campaign_create(actor=make_user("alice"), slug="camp")
    for name, role in (("dora", "researcher"), ("vera", "viewer")):
        give_role(campaign, make_user(name), role)
    assert ways() == {"setup": "steps"}
    assert ways(page="gold/") == {"setup": "steps", "judgments": "results"}
    add_items(campaign, item_rows(2, 1))
    open_campaign(campaign)
    of_texts = {"collect": "board", "judgments": "items", "metrics": "runs", "publish": "exports"}
    assert ways() == {"setup": "steps", **of_texts}
    rate_all(make_annotator(Campaign.objects.get(pk=campaign.pk)), at_most=1)
    judged = {"judgments": "results", "metrics": "correlation"}
    assert ways() == {"setup": "steps", **of_texts, **judged}
    assert ways("vera", "board/") == {"setup": "guidelines", **of_texts, **judged}


def test_the_docs_say_where_all_pages_are():
    lines = Path(settings.BASE_DIR, "docs/rooms.md").read_text(encoding="utf-8").splitlines()
    rows = {row[1].strip(): row[3] for line in lines if len(row := line.split("|")) == 5}
    for tab in TABS:
        assert str(tab.label) in rows[str(ROOMS[tab.room])], tab.label


def test_pages_of_all_apps_stand_in_one_order(monkeypatch):
    monkeypatch.setattr(http_pages, "TABS", list(http_pages.TABS))
    add_tabs(Tab("late", LABEL, 10**6, room="publish"), Tab("first", LABEL, -1, room="setup"))
    add_tabs(Tab("second", LABEL, 0, room="setup"))
    names = [tab.name for tab in http_pages.TABS]
    assert (names[:2], names[-1]) == (["first", "second"], "late")
    wrong = "attic"
    with pytest.raises(ValueError, match="no room 'attic'"):
        add_tabs(Tab("third", LABEL, 0, room=wrong))


def test_links_between_reports_keep_the_choice_of_judgments(campaign):
    pages = {
        one["name"]: one["url"]
        for room in rooms_of("dora", "correlation/?systems=S0")
        for one in room["pages"]
    }
    assert pages["ranking"].endswith("/?systems=S0")
    assert pages["runs"].endswith("/runs/") and pages["results"].endswith("/results/")


@pytest.mark.browser
def test_keys_lead_to_rooms_and_to_the_menu(world, page):
    """They rest while somebody types, and when they are switched off."""
    place = world()
    place.log_in(page.context, "alice")
    address = f"{place.proxy.url}/c/{place.slug}/"
    page.goto(address)
    page.keyboard.type("g4")
    page.wait_for_url(f"{address}runs/")  # Its first page with something to show.
    page.keyboard.press("/")
    page.wait_for_function("document.activeElement.closest('#site-links')")
    page.goto(f"{address}items/")
    page.keyboard.press("/")
    page.wait_for_function("document.activeElement.type === 'search'")
    page.keyboard.type("g1/")
    assert page.input_value("input[type=search]") == "g1/" and page.url == f"{address}items/"
    page.click("[popovertarget=help-words]")
    page.uncheck("#page-keys")
    page.reload()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.type") != "search"
