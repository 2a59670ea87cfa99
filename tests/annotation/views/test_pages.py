"""The frame of a campaign's pages: tabs by right, the current one, and what is simulated."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import gettext_lazy

from annotation.models import Annotator, Campaign
from annotation.views import pages
from annotation.views.pages import Tab, add_tabs
from tests.clients import client_of

pytestmark = pytest.mark.django_db


def context_of(name: str, page: str) -> Any:
    answer = client_of(name).get(f"/c/camp/{page}")
    assert answer.status_code == 200
    return answer.context


def test_a_page_without_a_tab_belongs_to_that_of_another(campaign: Campaign) -> None:
    for page in ("settings/", "scales/new/", f"scales/{campaign.scales.all()[0].key}/"):
        current = [tab["url"] for tab in context_of("dora", page)["tabs"] if tab["current"]]
        assert current == ["/c/camp/settings/"], page


def test_a_tab_is_shown_to_those_with_its_right(campaign: Campaign) -> None:
    shown = {
        name: {tab["url"].removeprefix("/c/camp/") for tab in context_of(name, page)["tabs"]}
        for name, page in (("dora", ""), ("vera", ""), ("bob", "guidelines/"))
    }
    assert {"people/", "settings/", "remarks/", "guidelines/"} <= shown["dora"]
    assert {"remarks/", "guidelines/"} == shown["vera"] & {
        "people/", "settings/", "remarks/", "guidelines/",
    }  # fmt: skip
    assert shown["bob"] == {"guidelines/"}


def test_tabs_of_all_apps_stand_in_one_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "TABS", list(pages.TABS))
    label = gettext_lazy("People")
    add_tabs(Tab("late", label, 10**6), Tab("first", label, -1))
    add_tabs(Tab("second", label, 0))
    names = [tab.name for tab in pages.TABS]
    assert (names[:2], names[-1]) == (["first", "second"], "late")


def test_readers_alone_are_told_that_judgments_are_simulated(campaign: Campaign) -> None:
    assert context_of("vera", "")["simulated"] is False
    Annotator.objects.create(campaign=campaign, code="S", origin="simulated")
    assert context_of("vera", "")["simulated"] is True
    assert context_of("bob", "guidelines/")["simulated"] is False
