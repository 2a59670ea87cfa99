"""What analysis reads of a campaign is the same, whatever stands in the campaigns beside it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.utils import timezone

from annotation.errors import NotFound
from annotation.models import Annotator, Campaign
from annotation.selectors.verify import verify
from annotation.services.campaigns.campaigns import threshold_set
from annotation.services.people.exclusions import exclusion_add
from scoring.models import Run
from scoring.selectors import items, runs
from scoring.selectors.agreement import agreement_for
from scoring.selectors.annotators import annotators_for
from scoring.selectors.correlation.columns import columns_get
from scoring.selectors.correlation.reports import ranking_for
from scoring.selectors.exports import (
    gold as exports_gold,
)
from scoring.selectors.exports import (
    paper,
)
from scoring.selectors.exports import (
    people as exports_people,
)
from scoring.selectors.exports import (
    rows as exports,
)
from scoring.selectors.exports.segments import segments_get
from scoring.selectors.gold.outcomes import results_for
from scoring.selectors.gold.reports import gold_overview_for
from scoring.selectors.overview import overview_rows
from scoring.selectors.ratings.choice import Choice
from scoring.selectors.ratings.fingerprint import fingerprint
from scoring.selectors.ratings.tables import exclusions_in_force, ratings_get, systems_get
from scoring.services.runs.start import run_start
from scoring.services.runs.work import run_work
from tests.factories import add_judgments, make_user
from tests.scoring.selectors.ratings.hand import by_text, hand_campaign

pytestmark = pytest.mark.django_db
TOMORROW = (timezone.now() + timedelta(days=1)).isoformat()


def scored(campaign: Campaign) -> Run:
    run = run_start(campaign=campaign, spec="pinc", actor=make_user("alice"))
    for _ in range(3):  # prepared, scored, finished
        run_work(run_pk=run.pk)
    return Run.objects.get(pk=run.pk)


def rows(export: exports.Export) -> list[Any]:
    return [export.columns, list(export.rows)]


def read(campaign: Campaign) -> dict[str, Any]:
    """Every read of analysis that starts from a campaign."""
    ratings = ratings_get(campaign=campaign)
    past = ratings_get(campaign=campaign, choice=Choice.from_json({"as_of": TOMORROW}))
    columns = columns_get(campaign=campaign)
    texts = systems_get(campaign=campaign, ratings=ratings)
    people = annotators_for(campaign=campaign)
    return {
        "ratings": [by_text(ratings, scale.name) for scale in ratings.scales],
        "units": [ratings.units.tolist(), [one.pk for one in ratings.annotators]],
        "past": [by_text(past, scale.name) for scale in past.scales],
        "systems": [texts.labels, texts.n_items],
        "excluded": exclusions_in_force(campaign=campaign),
        "results": results_for(campaign=campaign),
        "by gold": results_for(campaign=campaign, unit="gold"),
        "gold": gold_overview_for(campaign=campaign, choice=Choice()),
        "agreement": agreement_for(campaign=campaign),
        "annotators": people,
        "columns": [np.nan_to_num(one, nan=-1).tolist() for one in columns.scored.values()],
        "ranking": ranking_for(campaign=campaign, choice=Choice()),
        "runs": [one.pk for one in runs.newest_done_runs(campaign=campaign)],
        "progress": [str(one) for one in runs.runs_progress(campaign=campaign)],
        "items": rows(exports.items(campaign=campaign)),
        "judgments": rows(exports.judgments(campaign=campaign)),
        "history": rows(exports.history(campaign=campaign)),
        "golds": rows(exports_gold.golds(campaign=campaign)),
        "matrix": rows(exports_gold.matrix(campaign=campaign, scale="MEANING")),
        "ccb": list(exports_gold.ccb_rows(campaign=campaign, annotator="a")),
        "people": rows(exports_people.annotators(campaign=campaign)),
        "found": [one.pk for one in items.items_found(campaign=campaign)],
        "overview": [str(one) for one in overview_rows([campaign])],
        "facts": paper.facts_get(campaign=campaign, ratings=ratings),
        "rows": list(paper.rating_rows(ratings=ratings)),
        "segments": str(segments_get(campaign=campaign, ratings=ratings)),
        "fingerprint": fingerprint(campaign=campaign).text,
        "verify": verify(campaign=campaign),
    }


def beside() -> Campaign:
    """The same texts and codes, further annotators and scores, and something of each kind more."""
    campaign = hand_campaign("beside")
    row = {"item": "i0", "paraphrase": "one", "annotator": "z", "scale": "MEANING", "value": 1}
    add_judgments(campaign, [row, {**row, "annotator": "a", "occasion": 2}])
    scale = campaign.scales.get(name="MEANING")
    text = campaign.substitutions.get(text="three")
    campaign.imported_gold.create(
        substitution=text, scale=scale, value=5, n=9, spread=0.5, source="paper"
    )
    text.item.references.create(text="A reference.", position=0, text_hash="0" * 64)
    threshold_set(scale=scale, threshold=5, actor=None)
    scored(campaign)
    exclusion_add(target=text.item.phrase, reason="broken", actor=None)
    exclusion_add(
        target=Annotator.objects.get(campaign=campaign, code="b"), reason="careless", actor=None
    )
    return campaign


def test_a_campaign_beside_it_changes_no_number_and_no_row() -> None:
    campaign = hand_campaign()
    scored(campaign)
    before = read(campaign)
    assert before["verify"] == [] and before["runs"]
    other = beside()
    after = read(campaign)
    for name, found in before.items():
        assert after[name] == found, name
    # Nor do those that came before.
    assert exclusions_in_force(campaign=other).keys() == {"phrase", "annotator"}
    assert systems_get(campaign=other, ratings=ratings_get(campaign=other)).labels == ("S0", "S1")
    assert [one.campaign for one in runs.newest_done_runs(campaign=other)] == [other]
    assert {one.campaign for one in items.items_found(campaign=other)} == {other}
    lines = overview_rows([campaign, other])
    assert [line.last_run and line.last_run.campaign for line in lines] == [campaign, other]


def test_items_and_runs_of_another_campaign_are_not_there() -> None:
    campaign, other = hand_campaign(), hand_campaign("beside")
    run, item = scored(campaign), campaign.items.all()[0]
    assert runs.run_get(campaign=campaign, key=run.key) == run
    assert items.item_view(campaign=campaign, key=item.key).item == item
    with pytest.raises(NotFound):
        runs.run_get(campaign=other, key=run.key)
    with pytest.raises(NotFound):
        runs.run_progress(campaign=other, key=run.key)
    with pytest.raises(NotFound):
        items.item_view(campaign=other, key=item.key)
