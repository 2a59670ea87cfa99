"""From rows to numbers: who and what gets into a RatingTable."""

import pytest

from annotation.collecting.claiming import claim_next
from annotation.models import Judgment, Substitution
from paraanno.common.panel_links import ScaleTemplate
from scoring.gold.report import gold_columns
from scoring.ratings.tables import ratings_get, systems_get
from tests.factories import (
    add_judgments,
    judgment_row,
    make_annotator,
    make_campaign,
    save_answer,
    take_in,
)
from tests.scoring.hand import (
    GRAMMAR,
    MEANING,
    by_text,
    exclude,
    hand_campaign,
    meaning,
)


def test_only_counted_values_of_outputs_enter():
    ratings = ratings_get(campaign=hand_campaign())
    assert by_text(ratings, "MEANING") == MEANING
    assert by_text(ratings, "GRAMMAR") == GRAMMAR
    assert len(ratings.units) == 3  # the control is no unit
    items = dict(Substitution.objects.values_list("pk", "item_id"))
    assert [items[pk] for pk in ratings.units.tolist()] == ratings.item.tolist()


def test_cleared_and_draft_values_do_not_enter():
    campaign = make_campaign(items=1, systems=1, k=1)
    bob = make_annotator(campaign)
    sheet = claim_next(annotator=bob)
    scale = campaign.scales.get(name="MEANING")
    for version, value in enumerate((4, None)):
        save_answer(bob, sheet, sheet.entries.get().substitution, scale, value, version)
        assert meaning(campaign) == {}


def test_surplus_only_when_asked(hand):
    Judgment.objects.filter(annotator__code="c").update(status="surplus")
    assert "c" not in meaning(hand)["t1"]
    assert meaning(hand, surplus=True) == MEANING


def test_occasions_and_adjudications_stay_apart(hand):
    row = judgment_row("i0", "one", "a", 1)
    add_judgments(hand, [{**row, "occasion": 2}])
    add_judgments(hand, [{**row, "kind": "adjudication"}])
    assert meaning(hand) == MEANING
    assert meaning(hand, occasion=2) == {"t0": {"a": 1}}


def test_exclusions_in_force_leave_out_their_target(hand):
    exclusion = exclude(hand.annotators.get(code="a"))
    assert meaning(hand) == {"t0": {"b": 4}, "t1": {"b": 4, "c": 3}, "t2": {"c": 1}}
    assert meaning(hand, excluded=True) == MEANING
    take_in(exclusion)
    assert meaning(hand) == MEANING


@pytest.mark.parametrize(
    ("model", "left"),
    [
        ("substitution", ["t0", "t2"]),
        ("item", ["t0"]),
        ("phrase", ["t0"]),
        ("system", ["t0", "t1"]),  # What another system made too stays.
    ],
)
def test_excluded_texts_leave(model, left, hand):
    text = hand.substitutions.get(text="two")
    targets = {
        "substitution": text,
        "item": text.item,
        "phrase": text.item.phrase,
        "system": hand.systems.get(label="S1"),
    }
    exclude(targets[model])
    assert sorted(meaning(hand)) == left
    labels = systems_get(campaign=hand, ratings=ratings_get(campaign=hand)).labels
    assert labels == (("S0",) if model == "system" else ("S0", "S1"))


def test_blind_only_keeps_what_was_judged_before(hand):
    first = Judgment.objects.earliest("recorded_at")
    hand.annotators.filter(code="b").update(not_blind_since=first.recorded_at)
    assert meaning(hand, blind_only=True) == {
        "t0": {"a": 5},
        "t1": {"a": 2, "c": 3},
        "t2": {"a": 1, "c": 1},
    }


def test_one_anonymous_annotator_makes_the_table_anonymous(hand):
    for origin in ("imported", "anonymous"):
        hand.annotators.filter(code="c").update(origin=origin)
        table = ratings_get(campaign=hand).tables["MEANING"]
        assert table.anonymous == (origin == "anonymous")


def test_fractional_values_meet_their_levels():
    scale = ScaleTemplate(name="FINE", question="?", minimum=0, maximum=1, step=0.1)
    campaign = make_campaign(items=1, systems=1, scales=[scale], open_it=False)
    row = {"item": "item-0", "paraphrase": "system 0 paraphrase 0", "annotator": "a"}
    add_judgments(campaign, [{**row, "scale": "FINE", "value": 0.1 * 3}])
    ratings = ratings_get(campaign=campaign)
    assert ratings.tables["FINE"].codes(ratings.levels()["FINE"]).tolist() == [3]


def test_number_of_queries_does_not_grow(django_assert_num_queries):
    for slug, items in (("small", 2), ("large", 30)):
        campaign = make_campaign(slug, items=items, open_it=False)
        with django_assert_num_queries(5):
            ratings = ratings_get(campaign=campaign)
        with django_assert_num_queries(5):
            texts = systems_get(campaign=campaign, ratings=ratings)
            gold_columns(campaign=campaign, ratings=ratings)
        assert texts.n_items == items
