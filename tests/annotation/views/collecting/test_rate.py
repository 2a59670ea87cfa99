"""The rating screen as pages and plain forms, without JavaScript."""

from __future__ import annotations

from uuid import uuid4

import pytest

from annotation.models import Judgment, JudgmentVersion
from tests.annotation.api.collecting.place import Place

pytestmark = pytest.mark.django_db


def test_the_plain_form_saves_submits_and_goes_on() -> None:
    """Without JavaScript; sent twice it saves once."""
    place = Place()
    page = f"/rate/{place.campaign.slug}/{place.sheet.key}/"
    form = {}
    for entry in place.sheet.entries.select_related("substitution"):
        for scale in place.campaign.scales.all():
            name = f"{entry.substitution.key}.{scale.key}"
            form |= {f"value.{name}": "3", f"base.{name}": "0", f"id.{name}": str(uuid4())}
    answers = [place.client.post(page, form) for _ in range(2)]
    assert answers[0].status_code == 302
    assert answers[0]["Location"] != page
    assert JudgmentVersion.objects.count() == 4
    assert set(Judgment.objects.values_list("value", "status")) == {(3.0, "counted")}


def test_a_conflict_in_the_plain_form_is_shown_and_loses_nothing() -> None:
    place = Place()
    page = f"/rate/{place.campaign.slug}/{place.sheet.key}/"
    entry, scale = place.sheet.entries.all()[0], place.campaign.scales.all()[0]
    name = f"{entry.substitution.key}.{scale.key}"
    form = {f"value.{name}": "3", f"base.{name}": "0", f"id.{name}": str(uuid4())}
    place.put(value=5)
    answer = place.client.post(page, form)
    assert answer.status_code == 409
    text = answer.content.decode()
    assert "<strong>3</strong>" in text
    assert "<strong>5</strong>" in text
    assert Judgment.objects.get().value == 5
