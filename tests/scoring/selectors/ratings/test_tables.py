"""From rows to numbers: who and what gets into a RatingTable."""

from __future__ import annotations

import pytest

from annotation.models import Annotator, Judgment, Substitution, System
from annotation.services.collecting.claiming import claim_next
from annotation.services.collecting.saving import Answer, judgment_save
from annotation.services.people.exclusions import exclusion_add, exclusion_lift
from paraanno.plain.campaign_template import ScaleTemplate
from scoring.selectors.gold.outcomes import gold_columns
from scoring.selectors.ratings.tables import Choice, ratings_get, systems_get
from tests.factories import add_judgments, make_annotator, make_campaign
from tests.scoring.selectors.ratings.hand import GRAMMAR, MEANING, by_text, hand_campaign

pytestmark = pytest.mark.django_db


def test_only_counted_values_of_outputs_enter() -> None:
    campaign = hand_campaign()
    ratings = ratings_get(campaign=campaign)
    assert by_text(ratings, "MEANING") == MEANING
    assert by_text(ratings, "GRAMMAR") == GRAMMAR
    assert len(ratings.units) == 3  # the control is no unit
    items = dict(Substitution.objects.values_list("pk", "item_id"))
    assert [items[pk] for pk in ratings.units.tolist()] == ratings.item.tolist()


def test_cleared_and_draft_values_do_not_enter() -> None:
    campaign = make_campaign(items=1, systems=1, k=1)
    bob = make_annotator(campaign)
    sheet = claim_next(annotator=bob)
    entry = sheet.entries.get()
    answers = [(Answer(4), 0), (Answer(None), 1)]
    scale = campaign.scales.first()
    for answer, version in answers:
        judgment_save(
            annotator=bob, sheet_key=sheet.key, substitution_key=entry.substitution.key,
            scale_key=scale.key, answer=answer, request_id=None, base_version=version,
        )  # fmt: skip
        assert ratings_get(campaign=campaign).tables[scale.name].n_ratings == 0


def test_surplus_only_when_asked() -> None:
    campaign = hand_campaign()
    Judgment.objects.filter(annotator__code="c").update(status="surplus")
    assert "c" not in by_text(ratings_get(campaign=campaign), "MEANING")["t1"]
    everything = ratings_get(campaign=campaign, choice=Choice(surplus=True))
    assert by_text(everything, "MEANING") == MEANING


def test_occasions_and_adjudications_stay_apart() -> None:
    campaign = hand_campaign()
    row = {"item": "i0", "paraphrase": "one", "annotator": "a", "scale": "MEANING"}
    add_judgments(campaign, [{**row, "value": 1, "occasion": 2}])
    add_judgments(campaign, [{**row, "value": 1, "kind": "adjudication"}])
    assert by_text(ratings_get(campaign=campaign), "MEANING") == MEANING
    second = ratings_get(campaign=campaign, choice=Choice(occasion=2))
    assert by_text(second, "MEANING") == {"t0": {"a": 1}}


def test_exclusions_in_force_leave_out_their_target() -> None:
    campaign = hand_campaign()
    annotator = Annotator.objects.get(campaign=campaign, code="a")
    exclusion = exclusion_add(target=annotator, reason="too fast", actor=None, free_slots=False)
    assert by_text(ratings_get(campaign=campaign), "MEANING") == {
        "t0": {"b": 4}, "t1": {"b": 4, "c": 3}, "t2": {"c": 1},
    }  # fmt: skip
    kept = Choice(excluded=True)
    assert by_text(ratings_get(campaign=campaign, choice=kept), "MEANING") == MEANING
    exclusion_lift(exclusion=exclusion, actor=None)
    assert by_text(ratings_get(campaign=campaign), "MEANING") == MEANING


@pytest.mark.parametrize(
    ("model", "left"), [("substitution", ["t0", "t2"]), ("item", ["t0"]), ("phrase", ["t0"])]
)
def test_excluded_texts_leave(model: str, left: list[str]) -> None:
    campaign = hand_campaign()
    target = Substitution.objects.get(text="two")
    chosen = {"substitution": target, "item": target.item, "phrase": target.item.phrase}[model]
    exclusion_add(target=chosen, reason="broken sentence", actor=None)
    assert sorted(by_text(ratings_get(campaign=campaign), "MEANING")) == left


def test_text_of_an_excluded_system_stays_if_another_made_it() -> None:
    campaign = hand_campaign()
    system = System.objects.get(campaign=campaign, label="S1")
    exclusion_add(target=system, reason="wrong version", actor=None)
    ratings = ratings_get(campaign=campaign)
    assert sorted(by_text(ratings, "MEANING")) == ["t0", "t1"]
    assert systems_get(campaign=campaign, ratings=ratings).labels == ("S0",)


def test_units_of_chosen_systems() -> None:
    campaign = hand_campaign()
    ratings = ratings_get(campaign=campaign, choice=Choice(systems=("S1",)))
    assert sorted(by_text(ratings, "MEANING")) == ["t0", "t2"]


def test_blind_only_keeps_what_was_judged_before() -> None:
    campaign = hand_campaign()
    first = Judgment.objects.order_by("recorded_at").first()
    Annotator.objects.filter(code="b").update(not_blind_since=first.recorded_at)
    blind = ratings_get(campaign=campaign, choice=Choice(blind_only=True))
    assert by_text(blind, "MEANING") == {
        "t0": {"a": 5}, "t1": {"a": 2, "c": 3}, "t2": {"a": 1, "c": 1},
    }  # fmt: skip


def test_one_anonymous_annotator_makes_the_table_anonymous() -> None:
    campaign = hand_campaign()
    assert not ratings_get(campaign=campaign).tables["MEANING"].anonymous
    Annotator.objects.filter(code="c").update(origin="anonymous")
    assert ratings_get(campaign=campaign).tables["MEANING"].anonymous


def test_fractional_values_meet_their_levels() -> None:
    scale = ScaleTemplate(name="FINE", question="?", minimum=0, maximum=1, step=0.1)
    campaign = make_campaign(items=1, systems=1, scales=[scale], open_it=False)
    text = Substitution.objects.get(campaign=campaign)
    add_judgments(
        campaign,
        [{"item": "item-0", "paraphrase": text.text, "annotator": "a", "scale": "FINE",
          "value": 0.1 * 3}],
    )  # fmt: skip
    ratings = ratings_get(campaign=campaign)
    assert ratings.tables["FINE"].codes(ratings.levels()["FINE"]).tolist() == [3]


def test_number_of_queries_does_not_grow(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    for slug, items in (("small", 2), ("large", 30)):
        campaign = make_campaign(slug, items=items, open_it=False)
        with django_assert_num_queries(5):
            ratings = ratings_get(campaign=campaign)
        with django_assert_num_queries(5):
            texts = systems_get(campaign=campaign, ratings=ratings)
            gold_columns(campaign=campaign, ratings=ratings)
        assert texts.n_items == items
