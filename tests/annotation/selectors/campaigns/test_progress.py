"""How far a campaign and its annotators are; counts, each in one query."""

from __future__ import annotations

import pytest

from annotation.models import Annotator
from annotation.services.people.exclusions import exclusion_add
from tests.clients import client_of, text_of
from tests.factories import add_judgments, make_annotator, make_campaign, make_user, rate_all

pytestmark = pytest.mark.django_db


def test_progress_shows_voices_as_they_are() -> None:
    campaign = make_campaign(items=2, k=3)
    rate_all(make_annotator(campaign, "bob"))
    rate_all(make_annotator(campaign, "dora"))
    out = make_annotator(campaign, "ben")
    exclusion_add(target=out, reason="was asleep", actor=make_user("alice"))
    rows = [{"item": "item-0", "paraphrase": "system 0 paraphrase 0", "annotator": "robot",
             "scale": "MEANING", "value": 4}]  # fmt: skip
    assert "simulated" not in text_of(client_of("vera").get("/c/camp/")).lower()
    add_judgments(campaign, rows, origin=Annotator.Origin.SIMULATED)
    page = text_of(client_of("vera").get("/c/camp/"))
    assert "Contains simulated judgments" in page
    codes = {one.user.username if one.user else "": one.code for one in
             Annotator.objects.select_related("user")}  # fmt: skip
    assert f"{codes['bob']} Invited 2 8" in page
    assert f"{codes['dora']} not blind Invited 2 8" in page
    assert f"{codes['ben']} excluded Invited 0 0" in page
    assert "robot Simulated 0 1" in page
    assert "Places done 4 / 6" in page and "Sheets complete 0 / 2" in page
