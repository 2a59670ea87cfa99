"""What analysis reads of a campaign is the same, whatever stands in the campaigns beside it."""

from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from annotation.campaigns.services import threshold_set
from annotation.errors import NotFound
from annotation.models import Substitution
from annotation.verify import verify
from scoring.agreement.report import agreement_for
from scoring.annotators.report import annotators_for
from scoring.correlation.report import columns_get, ranking_for
from scoring.exports import design, gold, rows
from scoring.exports.design import segments_get
from scoring.gold.report import gold_columns, gold_overview_for, results_for
from scoring.http.overview import overview_rows
from scoring.ratings.choice import Choice, fingerprint
from scoring.ratings.tables import exclusions_in_force, ratings_get, systems_get
from scoring.results import items
from scoring.runs import queries
from tests.factories import add_items, add_judgments, judgment_row
from tests.scoring.factories import finish, progress_of, started
from tests.scoring.hand import MEANING, by_text, exclude, hand_campaign
from tests.scoring.selectors.points import points_get

TOMORROW = (timezone.now() + timedelta(days=1)).isoformat()


# Reads of analysis that need nothing but a campaign: themselves, of a choice, exports of rows.
PLAIN = (
    exclusions_in_force,
    results_for,
    agreement_for,
    annotators_for,
    queries.newest_done_runs,
    queries.runs_progress,
    fingerprint,
    verify,
)
CHOSEN = (gold_overview_for, ranking_for)
EXPORTS = (rows.items, rows.judgments, rows.history, gold.golds, rows.annotators)


def read(campaign):
    """Every read of analysis that starts from a campaign."""
    ratings = ratings_get(campaign=campaign)
    past = ratings_get(campaign=campaign, choice=Choice.from_json({"as_of": TOMORROW}))
    texts = systems_get(campaign=campaign, ratings=ratings)
    scored = columns_get(campaign=campaign).scored.values()
    written = {one.__name__: one(campaign=campaign) for one in EXPORTS}
    written["matrix"] = gold.matrix(campaign=campaign, scale="MEANING")
    return {
        **{one.__name__: one(campaign=campaign) for one in PLAIN},
        **{one.__name__: one(campaign=campaign, choice=Choice()) for one in CHOSEN},
        **{f"export {name}": [one.columns, list(one.rows)] for name, one in written.items()},
        "ratings": [by_text(ratings, scale.name) for scale in ratings.scales],
        "units": [ratings.units.tolist(), [one.pk for one in ratings.annotators]],
        "past": [by_text(past, scale.name) for scale in past.scales],
        "systems": [texts.labels, texts.n_items],
        "by gold": results_for(campaign=campaign, unit="gold"),
        "columns": [np.nan_to_num(one, nan=-1).tolist() for one in scored],
        "ccb": list(gold.ccb_rows(campaign=campaign, annotator="a")),
        "found": list(items.items_found(campaign=campaign)),
        "overview": [str(one) for one in overview_rows([campaign])],
        "facts": design.facts_get(campaign=campaign, ratings=ratings),
        "rows": list(design.rating_rows(ratings=ratings)),
        "segments": str(design.segments_get(campaign=campaign, ratings=ratings)),
    }


def beside():
    """The same texts and codes, further annotators and scores, and something of each kind more."""
    campaign = hand_campaign("beside")
    row = judgment_row("i0", "one", "z", 1)
    add_judgments(campaign, [row, {**row, "annotator": "a", "occasion": 2}])
    scale = campaign.scales.get(name="MEANING")
    text = campaign.substitutions.get(text="three")
    campaign.imported_gold.create(
        substitution=text, scale=scale, value=5, n=9, spread=0.5, source="paper"
    )
    text.item.references.create(text="A reference.", position=0, text_hash="0" * 64)
    threshold_set(scale=scale, threshold=5, actor=None)
    finish(started(campaign, "pinc"))
    for target in (text.item.phrase, campaign.annotators.get(code="b")):
        exclude(target)
    return campaign


@pytest.mark.slow
def test_a_campaign_beside_it_changes_no_number_and_no_row(hand):
    finish(started(hand, "pinc"))
    before = read(hand)
    assert before["verify"] == [] and before["newest_done_runs"]
    other = beside()
    after = read(hand)
    for name, found in before.items():
        assert after[name] == found, name
    # Nor do those that came before.
    assert exclusions_in_force(campaign=other).keys() == {"phrase", "annotator"}
    assert systems_get(campaign=other, ratings=ratings_get(campaign=other)).labels == ("S0", "S1")
    assert [one.campaign for one in queries.newest_done_runs(campaign=other)] == [other]
    assert {one.campaign for one in items.items_found(campaign=other)} == {other}
    lines = overview_rows([hand, other])
    assert [line.last_run and line.last_run.campaign for line in lines] == [hand, other]


def test_items_and_runs_of_another_campaign_are_not_there():
    campaign, other = hand_campaign(), hand_campaign("beside")
    run, item = started(campaign, "pinc"), campaign.items.first()
    for get, one in (
        (queries.run_get, run),
        (queries.run_progress, run),
        (items.item_view, item),
    ):
        assert get(campaign=campaign, key=one.key)
        with pytest.raises(NotFound):
            get(campaign=other, key=one.key)


# Only role output is scored, counted and exported as gold; every other role is there to watch.


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
