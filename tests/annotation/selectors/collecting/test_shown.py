"""The rows that a sheet is shown from are those of the models."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Scale, ScalePoint, Sheet
from annotation.selectors.collecting.sheets import sheet_view
from annotation.selectors.collecting.shown import scales_of, sheet_with, texts_of
from annotation.services.collecting.claiming import claim_next
from tests.factories import make_annotator, make_campaign, rate_sheet

pytestmark = pytest.mark.django_db
COLUMNS = ("pk", "key", "name", "question", "minimum", "maximum", "step", "required", "level")


def test_scales_are_those_of_the_models_and_never_old_ones() -> None:
    campaign = make_campaign(items=1, cast=False)
    scale = campaign.scales.all()[0]
    assert scale.points.exists()

    def same() -> None:
        stored = Scale.objects.filter(campaign=campaign).prefetch_related("points")
        found = scales_of(campaign.pk)
        assert [[getattr(one, name) for name in COLUMNS] for one in found] == [
            [getattr(one, name) for name in COLUMNS] for one in stored
        ]
        with CaptureQueriesContext(connection) as queries:
            points = [
                [(point.value, point.label, point.anchor) for point in one.points.all()]
                for one in found
            ]
        assert len(queries) == 0
        assert points == [
            [(point.value, point.label, point.anchor) for point in one.points.all()]
            for one in stored
        ]

    same()
    Scale.objects.filter(pk=scale.pk).update(name="another", maximum=7, step=0.5)
    ScalePoint.objects.filter(scale=scale, value=1).update(label="lowest")
    same()


def test_a_sheet_has_its_item_and_phrase() -> None:
    campaign = make_campaign(items=1, cast=False)
    stored = Sheet.objects.select_related("item__phrase").get(campaign=campaign)
    with CaptureQueriesContext(connection) as queries:
        found = sheet_with(stored.pk)
        assert (found.item.before, found.item.phrase.text, found.item.after) == (
            stored.item.before, stored.item.phrase.text, stored.item.after
        )  # fmt: skip
    assert len(queries) == 1
    for name in ("pk", "key", "campaign_id", "occasion", "for_annotator_id", "shared", "item_id"):
        assert getattr(found, name) == getattr(stored, name), name


def test_texts_come_with_the_annotators_own_answers_alone() -> None:
    campaign = make_campaign(items=1, cast=False)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    sheet = claim_next(annotator=bob)
    assert claim_next(annotator=ben) == sheet
    rate_sheet(bob, sheet, 2)
    rows = texts_of(annotator=bob, sheet=sheet)
    scales = {one.pk for one in campaign.scales.all()}
    assert {(row.value, row.version, row.slot) for row in rows} == {(2, 1, "done")}
    assert {row.scale for row in rows} == scales and len(rows) == 2 * len(scales)
    assert all(row.recorded_at.tzinfo is not None for row in rows)
    others = texts_of(annotator=ben, sheet=sheet)
    assert {(row.scale, row.value, row.slot) for row in others} == {(None, None, "claimed")}
    entry = sheet.entries.select_related("substitution").order_by("substitution__key").first()
    assert (rows[0].key, rows[0].text) == (entry.substitution.key, entry.substitution.text)


def test_a_text_may_stand_in_a_sentence_of_its_own() -> None:
    campaign = make_campaign(items=1, cast=False)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    entry = sheet.entries.first()
    type(entry.substitution).objects.filter(pk=entry.substitution_id).update(
        own_sentence="Another one altogether.", own_start=8, own_end=11
    )
    with CaptureQueriesContext(connection) as queries:
        view = sheet_view(annotator=bob, sheet=sheet_with(sheet.pk))
    assert len(queries) == 4
    around = {one.key: (one.before, one.after) for one in view.substitutions}
    assert around.pop(entry.substitution.key) == ("Another ", " altogether.")
    assert set(around.values()) == {(sheet.item.before, sheet.item.after)}
