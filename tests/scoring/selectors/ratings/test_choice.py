"""Choosing judgments and texts for a report."""

import csv
from datetime import UTC, datetime
from types import SimpleNamespace

import numpy as np
import pytest

from annotation.campaigns.pilots import pilot_end, pilot_start, pilot_take_over
from annotation.campaigns.queries import campaign_counts
from annotation.campaigns.services import campaign_open
from annotation.collecting.saving import Answer
from annotation.errors import Invalid
from annotation.models import Judgment
from annotation.people.exclusions import exclusion_add
from annotation.quality.expected import Band, text_add
from annotation.quality.rules import degraded_make
from annotation.sheets.progress import campaign_progress
from annotation.verify import verify
from scoring.agreement.report import agreement_for
from scoring.exports.design import facts_get
from scoring.gold.report import results_for
from scoring.ratings.choice import Choice
from scoring.ratings.tables import cannot_judge, one_answer_each, ratings_get, systems_get
from tests.annotation.school import add
from tests.clients import client_of, text_of
from tests.factories import (
    add_copies,
    add_items,
    make_annotator,
    make_campaign,
    make_user,
    open_campaign,
    rate_all,
)
from tests.scoring.factories import written
from tests.scoring.hand import MEANING, hand_campaign, meaning


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"annotators": ["b"]}, {t: {"b": row["b"]} for t, row in MEANING.items() if "b" in row}),
        ({"systems": ["S1"]}, {t: MEANING[t] for t in ("t0", "t2")}),
        ({"controls": True}, {"control": {"a": 1}}),
    ],
)
def test_of_some_annotators_of_some_systems_and_of_controls(chosen, expected):
    assert meaning(hand_campaign(), **chosen) == expected


def ratings_of(campaign, **chosen):
    """The ratings under a choice, and the number of items of systems."""
    choice = Choice.from_json(chosen)
    ratings = ratings_get(campaign=campaign, choice=choice)
    return ratings, systems_get(campaign=campaign, ratings=ratings, choice=choice).n_items


def test_of_one_phrase_and_of_none(hand):
    for phrase in hand.phrases.all():
        ratings, n_items = ratings_of(hand, phrases=[phrase.text])
        assert set(ratings.phrase.tolist()) == {phrase.pk}
        assert n_items == phrase.items.count()
    assert ratings_of(hand, phrases=["not there"])[0].units.size == 0


def test_of_an_import(hand):
    row = {"phrase": "late", "sentence": "It came late.", "paraphrase": "x", "system": "S0"}
    add_items(hand, [row])
    for batch, size in zip(hand.batches.filter(what="items").order_by("pk"), (3, 1), strict=True):
        assert ratings_of(hand, batches=[str(batch.pk)])[0].units.size == size


@pytest.mark.parametrize("value", ["news", 7, 1.5, "x=y"])
@pytest.mark.parametrize("level", ["item", "phrase", "substitution"])
def test_of_an_attribute(level, value, hand):
    text = hand.substitutions.filter(role="output").first()
    row = {"item": text.item, "phrase": text.item.phrase, "substitution": text}[level]
    name = "a topic__in"  # No name may be taken for a look-up.
    row.attributes = {name: value, "other": "news"}
    row.save()
    ratings, n_items = ratings_of(hand, attribute=f"{level}.{name}={value}")
    assert text.pk in ratings.units
    assert set(getattr(ratings, level, ratings.units).tolist()) == {row.pk}
    assert n_items >= 1
    assert ratings_of(hand, attribute=f"{level}.{name}=else")[0].units.size == 0


def test_of_some_days_both_included(hand):
    rows = Judgment.objects.filter(scale__name="MEANING", substitution__role="output", value__gt=0)
    moments = [datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC)]
    for number, row in enumerate(rows):
        Judgment.objects.filter(pk=row.pk).update(recorded_at=moments[number % 2])

    def many(**chosen):
        return sum(map(len, meaning(hand, **chosen).values()))

    assert many(until="2026-03-01") == 4
    assert many(since="2026-03-02") == 3
    assert many(since="2026-03-01", until="2026-03-02") == 7


@pytest.mark.parametrize(
    "wrong",
    [
        {"since": "yesterday"},
        {"until": "2026-13-01"},
        {"attribute": "topic=news"},
        {"attribute": "system.topic=news"},
        {"attribute": "item.topic"},
        {"batches": ["one"]},
        {"occasion": 0},
    ],
)
def test_what_no_choice_can_mean_is_refused(wrong):
    with pytest.raises(Invalid):
        Choice.from_json(wrong)


def test_equal_choices_have_one_report():
    first = Choice.from_json({"annotators": ["b", "a", "a"], "systems": []})
    second = Choice.from_json({"annotators": ["a", "b"]})
    assert first.digest() == second.digest() != Choice().digest()
    assert Choice.from_json(first.as_json()) == first


# What counts as an item, a text, a sheet and an answer is the same everywhere.


@pytest.fixture
def watched():
    """4 items of two systems (7 texts), 3 controls of their own, 2 copies of each kind, a practice
    text; two of the sheets are for everybody."""
    campaign = make_campaign(items=4, systems=2, k=2, open_it=False, shared_share=0.25)
    for number in range(3):
        text_add(
            campaign=campaign,
            role="control",
            part="",
            sentence=f"Watch this here {number}.",
            phrase="this",
            paraphrase=f"that {number}",
            actor=None,
            bands={name: Band(5, 5, "") for name in ("MEANING", "GRAMMAR")},
        )
    degraded_make(campaign=campaign, items=2, method="drop", seed=1, actor=None)
    add_copies(campaign, 2)
    add(campaign, "practice", 1, 4, 5)
    return campaign_open(campaign=campaign, actor=make_user("alice"))


def test_controls_and_practice_are_in_no_coverage(watched):
    def coverage():
        systems = results_for(campaign=watched)["systems"]
        return {name: one["coverage"] for name, one in systems.items()}

    assert coverage() == {"S0": 1, "S1": 1}
    watched.systems.get(label="S1").outputs.first().delete()
    assert coverage() == {"S0": 1, "S1": 0.75}


def test_the_page_counts_texts_of_systems_and_checks_apart(watched):
    counts = campaign_counts(campaign=watched)
    assert (counts.items, counts.substitutions, counts.checks) == (4, 7, 8)
    page = text_of(client_of("vera").get("/c/camp/board/"))
    assert "Items 4 Paraphrases 7 Texts for quality control and practice 8" in page


def test_no_sheet_is_complete_right_after_opening(watched):
    progress = campaign_progress(campaign=watched)
    assert progress.sheets_complete == 0
    # Of the 7 sheets some are for everybody, and three hold a control alone.
    own = watched.sheets.filter(shared=False, entries__substitution__role="output").distinct()
    assert progress.sheets == own.count() > 0
    for name in ("bob", "ben"):
        rate_all(make_annotator(watched, name), Answer(None, "no idea"))
    progress = campaign_progress(campaign=watched)
    assert progress.sheets_complete == progress.sheets


def test_cannot_judge_is_counted_once(watched):
    bob, ben = make_annotator(watched, "bob"), make_annotator(watched, "ben")
    rate_all(bob, Answer(None, "no idea"))
    rate_all(ben, Answer(None, "no idea"))

    def counted(**chosen):
        choice = Choice(**chosen)
        ratings = ratings_get(campaign=watched, choice=choice)
        counts = cannot_judge(campaign=watched, ratings=ratings, choice=choice)
        facts = facts_get(campaign=watched, ratings=ratings)
        assert facts.cannot_judge == sum(counts.values())
        return counts

    both = {"MEANING": 14, "GRAMMAR": 14}  # 7 texts of systems, two annotators
    assert counted() == agreement_for(campaign=watched)["cannot_judge"] == both
    for target in (ben, watched.substitutions.filter(role="output").first()):
        exclusion_add(target=target, reason="broken", actor=make_user("alice"))
    rest = {"MEANING": 6, "GRAMMAR": 6}
    assert counted() == counted(as_of="2999-01-01") == rest


# Nobody counts twice: judgments of a pilot in the campaign, beside those of the same people.


def piloted(campaign, *names):
    """A pilot of everything, judged by these people, whose judgments count in the campaign."""
    people = [make_user(name).pk for name in names]
    pilot = pilot_start(campaign=campaign, texts=2, people=people, actor=None)
    for name in names:
        rate_all(make_annotator(pilot, name))
    pilot_take_over(pilot=pilot_end(pilot=pilot, actor=None), actor=None)


def page(campaign, name):
    return client_of("alice").get(f"/c/{campaign.slug}/{name}/").context


def numbers(campaign):
    """Ratings and annotators of the agreement on a page."""
    scale = page(campaign, "agreement")["scales"][0]["numbers"]
    return scale["n_ratings"], scale["n_annotators"]


@pytest.mark.slow
def test_who_judged_in_the_pilot_and_in_the_campaign_counts_once():
    campaign = make_campaign(items=2, k=3, open_it=False)
    piloted(campaign, "bob", "beth")
    texts = campaign.substitutions.count()
    assert numbers(campaign) == (2 * texts, 2)
    campaign = open_campaign(campaign)
    rate_all(make_annotator(campaign, "bob"))
    # Bob's later answers and Beth's of the pilot: two judges, and not three.
    assert numbers(campaign) == (2 * texts, 2)
    header, *rows = csv.reader(written(campaign, "matrix", scale="MEANING").decode().splitlines())
    voices = [at for at, name in enumerate(header) if "A0" in name]
    assert [sum(row[at] != "" for at in voices) for row in rows] == [2] * texts
    systems = page(campaign, "results")["found"]["systems"].values()
    assert sum(one["scales"]["MEANING"]["n"] for one in systems) >= 2 * texts
    assert verify(campaign=campaign) == []


def test_two_pilots_of_the_same_people_count_once():
    campaign = make_campaign(items=2, k=3, open_it=False)
    piloted(campaign, "bob", "beth")
    piloted(campaign, "bob")
    assert numbers(campaign) == (2 * campaign.substitutions.count(), 2)


def test_repeats_of_one_voice_stay():
    """A hidden repeat in a pilot is the same judge again, not a second one."""
    people = [
        SimpleNamespace(pk=1, user_id=7, from_pilot_id=None),
        SimpleNamespace(pk=2, user_id=7, from_pilot_id=99),
        SimpleNamespace(pk=3, user_id=8, from_pilot_id=98),
    ]
    given = [(0, 1, 1), (1, 1, 1), (1, 2, 1), (1, 2, 1), (2, 1, 1), (1, 1, 2)]
    rows = np.array(given, dtype=[("annotator", int), ("unit", int), ("scale", int)])
    assert [tuple(row) for row in one_answer_each(rows, people)] == [
        one for one in given if one != (1, 1, 1)
    ]
