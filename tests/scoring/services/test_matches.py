"""A campaign of the matches of a run."""

import io

import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
from statsmodels.stats.proportion import proportion_confint

from annotation.errors import Conflict, Invalid
from annotation.importing.items import items_import
from annotation.models import Campaign
from scoring.resources.services import resource_add
from scoring.runs.matches import matches_campaign
from scoring.runs.queries import has_matches, matched_sample
from tests.clients import client_of
from tests.factories import add_judgments, make_campaign, make_user
from tests.scoring.factories import finish, started
from tests.scoring.metrics.phrases.test_judged_matches import PAIRS, TABLE

pytestmark = pytest.mark.usefixtures("data_dir")


@pytest.fixture
def campaign():
    return make_campaign(items=1, systems=1, open_it=False)


def scored(campaign, folder, metric="paraeval"):
    """A run over texts, of which some have matches."""
    lines = "".join(f'"{one}","{two}",A\n' for one, two in PAIRS)
    lines += '"In the end we left.","Finally we left.",B\n'
    stream = io.BytesIO(f"sentence,paraphrase,system\n{lines}".encode())
    assert items_import(campaign=campaign, stream=stream, name="a.csv", actor=None).ok
    # Two texts of an original match the same phrase of it.
    (folder / "table.tsv").write_text(
        f"{TABLE}in the end we\tfinally we\t.3\nin the end we\tat last we\t.4\n"
    )
    table = resource_add(kind="table", path=folder / "table.tsv", actor=None)
    spec = f"paraeval:table={table.key},against=original" if metric == "paraeval" else metric
    run = finish(started(campaign, spec))
    assert run.status == "done", run.error
    return run


def judged(run):
    return matches_campaign(run=run, n=10, seed=1, slug="judged", actor=make_user("alice"))


@pytest.mark.slow
def test_a_campaign_asks_one_question_of_each_match_and_has_the_numbers_of_independent_programs(
    campaign, tmp_path
):
    """As in Zhou et al. (2006), whose judges found 68 % of 128 right with a kappa of .58."""
    Campaign.objects.filter(pk=campaign.pk).update(language="fr")
    run = scored(campaign, tmp_path)
    assert has_matches(run)
    made = judged(run)
    pairs = matched_sample(run=run, n=10, seed=1)
    (scale,) = made.scales.all()
    assert made.language == "fr"
    assert (scale.level, scale.threshold, made.annotators_per_sheet) == ("nominal", 1, 3)
    assert made.items.count() == len(pairs) - 1 >= 2
    assert set(made.substitutions.values_list("text", "own_sentence")) == {
        (pair.paraphrase, pair.own_sentence) for pair in pairs
    }
    with pytest.raises(Invalid):
        judged(run)

    texts = list(made.substitutions.order_by("pk"))
    given = np.array([[1, 1, 0] if at % 2 else [0, 0, 0] for at in range(len(texts))])
    lines = [
        {
            "phrase": text.item.phrase.text,
            "sentence": text.item.sentence,
            "start": text.item.start,
            "paraphrase": text.text,
            "own_sentence": text.own_sentence,
            "own_start": text.own_start,
            "own_end": text.own_end,
            "annotator": who,
            "scale": "SAME",
            "value": int(given[at, place]),
        }
        for at, text in enumerate(texts)
        for place, who in enumerate("abc")
    ]
    add_judgments(made, lines)
    results, agreement = (
        client_of("alice").get(f"/c/judged/{page}/").content.decode()
        for page in ("results", "agreement")
    )
    low, high = proportion_confint(given.sum(), given.size, method="wilson")
    assert f"{given.mean():.2f}" in results and f"[{low:.2f}, {high:.2f}]" in results
    assert f"{fleiss_kappa(aggregate_raters(given)[0]):.3f}" in agreement


def test_there_is_no_campaign_where_its_texts_are_refused(campaign, tmp_path, monkeypatch):
    run = scored(campaign, tmp_path)
    broken = [{"phrase": "in the end", "sentence": "It is not there.", "paraphrase": "at last"}]
    monkeypatch.setattr("scoring.runs.matches.rows", lambda pairs: broken)
    with pytest.raises(Invalid):
        judged(run)
    assert not Campaign.objects.filter(slug="judged").exists()


def test_other_runs_have_none(campaign, tmp_path):
    run = scored(campaign, tmp_path, "pinc")
    assert not has_matches(run)
    with pytest.raises(Conflict, match="Only runs of ParaEval"):
        judged(run)
    assert not Campaign.objects.filter(slug="judged").exists()
