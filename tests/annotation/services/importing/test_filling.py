"""Places that imported judgments take, so that nobody judges the same again."""

from annotation.collecting.claiming import claim_next
from annotation.models import Judgment, Sheet, Slot
from tests.annotation.files import load_judgments
from tests.factories import exclude, make_annotator, make_campaign, take_in


def answers(code, **without):
    """Of one annotator to every question of every sheet, less those that have these values."""
    rows = [
        {
            "item": f"item-{sheet.item.position}",
            "paraphrase": entry.substitution.text,
            "annotator": code,
            "scale": scale,
            "value": 3,
        }
        for sheet in Sheet.objects.filter(for_annotator=None)
        for entry in sheet.entries.all()
        for scale in ("MEANING", "GRAMMAR")
    ]
    return [row for row in rows if not without or without.items() - row.items()]


def one_place(**settings):
    return make_campaign(**{"items": 1, "k": 1, "cast": False, **settings})


def filled(campaign, *rows):
    report = load_judgments(campaign, *rows, fill_slots=True)
    assert report.ok, report.problems
    return report.counts["slots"]


def test_a_sheet_that_was_answered_completely_takes_a_free_place():
    campaign = one_place(items=2)
    assert filled(campaign, *answers("X")) == 2
    assert set(Slot.objects.values_list("state", "annotator__code")) == {("done", "X")}
    assert not Judgment.objects.filter(slot=None).exists()
    assert [event.kind for event in Slot.objects.all()[0].events.all()] == ["done"]
    assert claim_next(annotator=make_annotator(campaign)) is None
    assert filled(campaign, *answers("X")) == 0


def test_one_answer_that_is_missing_leaves_the_sheet_open_until_it_comes():
    campaign = one_place(items=2)
    lacking = answers("X", item="item-0", scale="GRAMMAR", paraphrase="system 0 paraphrase 0")
    assert filled(campaign, *lacking) == 1
    assert Slot.objects.get(state="done").sheet.item.position == 1
    assert filled(campaign, *answers("X")) == 1


def test_no_place_is_made_where_none_is_free():
    campaign = one_place(k=2)
    claim_next(annotator=make_annotator(campaign))
    assert filled(campaign, *answers("X"), *answers("Y")) == 1
    assert sorted(Slot.objects.values_list("state", flat=True)) == ["claimed", "done"]
    assert Judgment.objects.filter(slot=None, status="counted").count() == 4


def test_who_is_excluded_fills_no_place():
    campaign = one_place()
    rows = answers("X")
    load_judgments(campaign, *rows)
    exclusion = exclude(campaign.annotators.get())
    assert filled(campaign, *rows) == 0
    assert Slot.objects.get().state == Slot.State.FREE
    take_in(exclusion)
    assert filled(campaign, *rows) == 1
    assert Slot.objects.get().state == Slot.State.DONE
