"""The rows that a sheet is shown from are those of the models."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.collecting.claiming import claim_next
from annotation.collecting.sheets import sheet_view
from annotation.models import Substitution
from annotation.sheets.own_work import scales_of, sheet_with, texts_of
from tests.factories import make_annotator, rate_sheet

COLUMNS = ("pk", "key", "name", "question", "minimum", "maximum", "step", "required", "level")


def test_scales_are_those_of_the_models_and_never_old_ones(campaign):
    def same():
        read, stored = scales_of(campaign.pk), campaign.scales.prefetch_related("points")
        with CaptureQueriesContext(connection) as queries:
            shown = [row(one) for one in read]
        assert len(queries) == 0
        assert shown == [row(one) for one in stored] and shown[0][-1]

    def row(scale):
        points = [(point.value, point.label, point.anchor) for point in scale.points.all()]
        return [*(getattr(scale, name) for name in COLUMNS), points]

    same()
    first = campaign.scales.all()[0]
    campaign.scales.filter(pk=first.pk).update(name="another", maximum=7, step=0.5)
    first.points.filter(value=1).update(label="lowest")
    same()


def test_texts_come_with_the_annotators_own_answers_alone(place):
    bob, sheet = place
    ben = make_annotator(bob.campaign, "ben")
    assert claim_next(annotator=ben) == sheet
    rate_sheet(bob, sheet, 2)
    rows = texts_of(annotator=bob, sheet=sheet)
    scales = {one.pk for one in bob.campaign.scales.all()}
    assert {(row.value, row.version, row.slot) for row in rows} == {(2, 1, "done")}
    assert {row.scale for row in rows} == scales and len(rows) == 2 * len(scales)
    assert all(row.recorded_at.tzinfo is not None for row in rows)
    others = texts_of(annotator=ben, sheet=sheet)
    assert {(row.scale, row.value, row.slot) for row in others} == {(None, None, "claimed")}
    text = Substitution.objects.order_by("key")[0]
    assert (rows[0].key, rows[0].text) == (text.key, text.text)


def test_a_text_may_stand_in_a_sentence_of_its_own(place):
    bob, sheet = place
    own, other = Substitution.objects.all()
    Substitution.objects.filter(pk=own.pk).update(
        own_sentence="Another one altogether.", own_start=8, own_end=11
    )
    with CaptureQueriesContext(connection) as queries:
        view = sheet_view(annotator=bob, sheet=sheet_with(sheet.pk))
    assert len(queries) == 4
    assert {one.key: (one.before, one.after) for one in view.substitutions} == {
        own.key: ("Another ", " altogether."),
        other.key: (sheet.item.before, sheet.item.after),
    }
