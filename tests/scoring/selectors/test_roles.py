"""Only role output is scored, counted and exported as gold; every other role is there to watch."""

from __future__ import annotations

import pytest

from annotation.models import Campaign, Substitution, System
from scoring.models import Run
from scoring.selectors.correlation.columns import columns_get
from scoring.selectors.exports import gold as exports_gold
from scoring.selectors.exports.segments import segments_get
from scoring.selectors.overview import overview_rows
from scoring.selectors.ratings.choice import Choice
from scoring.selectors.ratings.tables import ratings_get
from scoring.selectors.runs import run_progress
from scoring.services.runs.start import run_start
from scoring.services.runs.work import run_work
from tests.factories import add_items, make_user
from tests.scoring.selectors.points import points_get
from tests.scoring.selectors.ratings.hand import MEANING, by_text, hand_campaign

pytestmark = pytest.mark.django_db
OUTPUTS = {"one", "two", "three"}


def watched(slug: str = "hand") -> Campaign:
    """The control of the campaign is, on top of it, something that a system made, and newest."""
    campaign = hand_campaign(slug)
    control = Substitution.objects.get(campaign=campaign, role="control")
    system = System.objects.get(campaign=campaign, label="S0")
    system.outputs.create(item=control.item, rank=2, substitution=control)
    return campaign


def scored(campaign: Campaign) -> Run:
    run = run_start(campaign=campaign, spec="pinc", actor=make_user("alice"))
    for _ in range(3):  # prepared, scored, finished
        run_work(run_pk=run.pk)
    return Run.objects.get(pk=run.pk)


def test_statistics_know_no_other_role() -> None:
    campaign = watched()
    run = scored(campaign)
    assert by_text(ratings_get(campaign=campaign), "MEANING") == MEANING
    assert len(columns_get(campaign=campaign).ratings.units) == 3
    assert points_get(campaign=campaign, run=run, human="MEANING").total == 3


def test_a_run_scores_no_other_role() -> None:
    campaign = watched()
    row = {"item": "i0", "phrase": "first", "sentence": "The first sentence."}
    add_items(campaign, [{**row, "paraphrase": "newest", "system": "S2"}])
    run = scored(campaign)
    assert (run.status, run.total, run.done) == ("done", 4, 4)
    texts = run.scores.values_list("substitution__text", flat=True)
    assert set(texts) == OUTPUTS | {"newest"}
    means = run.system_scores.filter(kind="mean").values_list("system__label", "n")
    assert dict(means) == {"S0": 2, "S1": 2, "S2": 1}


def test_a_run_ends_at_its_newest_output() -> None:
    campaign = watched()
    newest = Substitution.objects.filter(campaign=campaign, role="output").latest("pk")
    assert scored(campaign).last_substitution == newest.pk


def test_a_run_is_not_outdated_by_another_role() -> None:
    campaign = watched()
    run = scored(campaign)
    row = {"item": "i1", "phrase": "second", "sentence": "The second sentence."}
    add_items(campaign, [{**row, "paraphrase": "another", "role": "control"}])
    assert run_progress(campaign=campaign, key=run.key).later == 0
    assert overview_rows([campaign])[0].outdated == ()
    add_items(campaign, [{**row, "paraphrase": "a further one", "system": "S2"}])
    assert run_progress(campaign=campaign, key=run.key).later == 1
    assert overview_rows([campaign])[0].outdated == (run,)


def test_texts_are_shared_with_outputs_of_the_other_campaign_alone() -> None:
    campaign = hand_campaign()
    other = hand_campaign("other")
    Substitution.objects.filter(campaign=other, text="two").update(role="control")
    shared = ratings_get(campaign=campaign, choice=Choice(shared_with="other"))
    assert sorted(by_text(shared, "MEANING")) == ["t0", "t2"]


def test_exports_of_gold_know_no_other_role() -> None:
    campaign = watched()
    assert {row["paraphrase"] for row in exports_gold.golds(campaign=campaign).rows} == OUTPUTS
    matrix = exports_gold.matrix(campaign=campaign, scale="MEANING")
    assert {row["substitution"] for row in matrix.rows} == OUTPUTS
    lines = list(exports_gold.ccb_rows(campaign=campaign, annotator="a"))
    assert {line.paraphrase for line in lines} == OUTPUTS
    segments = segments_get(campaign=campaign, ratings=ratings_get(campaign=campaign))
    assert "control" not in str(segments)
