"""Scores that are there already: of this run, or of another one with the same signature."""

import pytest

from annotation.campaigns.copying import campaign_copy
from tests.factories import add_items, item_rows, make_campaign
from tests.scoring.factories import finish, later, started, values

pytestmark = pytest.mark.usefixtures("toy_metrics")


def systems_of(run):
    return sorted(run.system_scores.values_list("system__label", "kind", "value", "n"))


def test_the_same_an_equal_and_a_copied_campaign_take_the_scores_of_texts_and_systems(
    campaign, counted
):
    first = {spec: finish(started(campaign, spec)) for spec in ("pinc", "bleu")}
    computed = sum(counted)
    copy = campaign_copy(campaign=campaign, slug="copy", texts=True, actor=None)
    for other in (campaign, make_campaign("second", open_it=False), copy):
        for spec, run in first.items():
            again = finish(started(other, spec))
            assert (again.status, again.reused, sum(counted)) == ("done", run.total, computed)
            assert sorted(values(again).values()) == sorted(values(run).values())
            assert systems_of(again) == systems_of(run)


@pytest.mark.parametrize("slug", ["again", None])
def test_scores_of_texts_that_came_at_different_times_are_found(counted, slug):
    """Their ids lie far apart, with texts of other items between."""
    first, *rest = item_rows(80)
    later_one = {**first, "paraphrase": "came much later", "system": "S2"}
    campaign = make_campaign(rows=[first, *rest], open_it=False)
    add_items(campaign, [later_one])
    run = finish(started(campaign, "pinc"))
    assert sum(counted) == run.total
    if slug:
        campaign = make_campaign(slug, rows=[first, later_one, *rest], open_it=False)
    again = finish(started(campaign, "pinc"))
    assert (again.reused, again.total, sum(counted)) == (run.total, run.total, run.total)


@pytest.mark.parametrize("change", ["option", "reference", "sentence", "failed"])
def test_what_is_not_the_same_is_scored(campaign, counted, change):
    first = finish(started(campaign, "pinc"))
    rows = item_rows()
    if change == "reference":
        rows = [{**row, "reference": "Another."} for row in rows]
    if change == "sentence":
        rows = [{**row, "sentence": row["sentence"] + " More."} for row in rows]
    if change == "failed":
        first.scores.update(value=None, reason="Scoring failed: out of luck")
    campaign = make_campaign("second", rows=rows, open_it=False)
    run = finish(started(campaign, "pinc:max_n=3" if change == "option" else "pinc"))
    assert run.reused == 0
    assert counted[-1] == run.total and run.scores.exclude(value=None).count() == run.total


def test_a_group_counts_where_the_metric_looks_at_it(campaign):
    first = finish(started(campaign, "toy-grouped"))
    assert set(first.scores.values_list("value", flat=True)) == {2.0, 1.0}
    second = make_campaign("second", open_it=False)
    item = later(second).item
    run = finish(started(second, "toy-grouped"))
    assert run.reused == first.total - 2
    scores = run.scores.filter(substitution__item=item)
    assert list(scores.values_list("value", flat=True)) == [3.0] * 3


def test_a_sentence_of_its_own_is_another_original():
    row = item_rows(1, 1)[0]
    other = {"own_sentence": "It has elsewhere in it.", "own_start": 7, "own_end": 16}
    rows = [row, {**row, "paraphrase": "elsewhere", "system": "S1", **other}]
    run = finish(started(make_campaign(rows=rows, open_it=False), "toy-grouped"))
    assert set(run.scores.values_list("value", flat=True)) == {1.0}


# What a run gives to its metric: pairs of texts, read without a transaction.


def test_texts_that_come_later_are_not_the_runs_own(campaign):
    run = started(campaign, "pinc")
    later(campaign)
    run = finish(run)
    assert run.total == run.done == run.scores.count() == 7
    late = run.system_scores.filter(system__label="late")
    assert [(one.n, one.value) for one in late] == [(0, None)] * len(late)
