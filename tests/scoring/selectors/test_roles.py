"""Only role output is scored, counted and exported as gold; every other role is there to watch."""

import numpy as np
import pytest

from annotation.models import Substitution
from scoring.correlation.report import columns_get
from scoring.exports import gold
from scoring.exports.design import segments_get
from scoring.gold.report import gold_columns, results_for
from scoring.http.overview import overview_rows
from scoring.ratings.choice import Choice
from scoring.ratings.tables import ratings_get
from tests.factories import add_items
from tests.scoring.selectors.points import points_get
from tests.scoring.selectors.ratings.hand import MEANING, by_text, hand_campaign
from tests.scoring.services.runs.parts import progress_of
from tests.scoring.services.runs.started import finish, started

OUTPUTS = {"one", "two", "three"}


def make_control_watched(campaign):
    """The control is, on top of it, something that a system made, and newest."""
    control = campaign.substitutions.get(role="control")
    system = campaign.systems.get(label="S0")
    system.outputs.create(item=control.item, rank=2, substitution=control)


@pytest.fixture
def scored():
    campaign = hand_campaign()
    make_control_watched(campaign)
    return campaign, finish(started(campaign, "pinc"))


def test_runs_and_statistics_know_no_other_role(scored):
    campaign, run = scored
    assert by_text(ratings_get(campaign=campaign), "MEANING") == MEANING
    assert len(columns_get(campaign=campaign).ratings.units) == 3
    assert points_get(campaign=campaign, run=run, human="MEANING").total == 3
    newest = campaign.substitutions.filter(role="output").latest("pk")
    assert run.last_substitution == newest.pk
    row = {"item": "i0", "phrase": "first", "sentence": "The first sentence."}
    add_items(campaign, [{**row, "paraphrase": "newest", "system": "S2"}])
    run = finish(started(campaign, "pinc"))
    assert (run.status, run.total, run.done) == ("done", 4, 4)
    texts = run.scores.values_list("substitution__text", flat=True)
    assert set(texts) == OUTPUTS | {"newest"}
    means = run.system_scores.filter(kind="mean").values_list("system__label", "n")
    assert dict(means) == {"S0": 2, "S1": 2, "S2": 1}


@pytest.mark.parametrize("role", ["control", "degraded", "copy", "practice"])
def test_no_other_role_reaches_gold_or_results(role, hand):

    def outcome():
        columns = gold_columns(campaign=hand, ratings=ratings_get(campaign=hand))
        means = [np.nan_to_num(one.mean, nan=-1).tolist() for one in columns.values()]
        return means, *(results_for(campaign=hand, unit=unit) for unit in ("judgment", "gold"))

    before = outcome()
    make_control_watched(hand)
    hand.substitutions.filter(role="control").update(role=role)
    assert outcome() == before


def test_a_run_is_not_outdated_by_another_role(scored):
    campaign, run = scored
    row = {"item": "i1", "phrase": "second", "sentence": "The second sentence."}
    for paraphrase, about, outdated in (
        ("another", {"role": "control"}, ()),
        ("a further one", {"system": "S2"}, (run,)),
    ):
        add_items(campaign, [{**row, "paraphrase": paraphrase, **about}])
        assert progress_of(run).later == len(outdated)
        assert overview_rows([campaign])[0].outdated == outdated


def test_texts_are_shared_with_outputs_of_the_other_campaign_alone():
    campaign, other = hand_campaign(), hand_campaign("other")
    Substitution.objects.filter(campaign=other, text="two").update(role="control")
    shared = ratings_get(campaign=campaign, choice=Choice(shared_with="other"))
    assert sorted(by_text(shared, "MEANING")) == ["t0", "t2"]


def test_exports_of_gold_know_no_other_role(scored):
    campaign, _ = scored
    assert {row["paraphrase"] for row in gold.golds(campaign=campaign).rows} == OUTPUTS
    matrix = gold.matrix(campaign=campaign, scale="MEANING")
    assert {row["substitution"] for row in matrix.rows} == OUTPUTS
    lines = gold.ccb_rows(campaign=campaign, annotator="a")
    assert {line.paraphrase for line in lines} == OUTPUTS
    segments = segments_get(campaign=campaign, ratings=ratings_get(campaign=campaign))
    assert "control" not in str(segments)
