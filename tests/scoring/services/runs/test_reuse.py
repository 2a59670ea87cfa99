"""Scores that are there already: of this run, or of another one with the same signature."""

from __future__ import annotations

import pytest

from annotation.services.campaigns.copying import campaign_copy
from tests.factories import add_items, item_rows, make_campaign
from tests.scoring.services.runs.parts import later, values
from tests.scoring.services.runs.started import finish, started

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy_metrics")]


# What is there already
def test_an_equal_campaign_takes_its_scores(counted: list[int]) -> None:
    first = finish(started(make_campaign("first", items=6, open_it=False), "pinc"))
    computed = sum(counted)
    again = finish(started(make_campaign("second", items=6, open_it=False), "pinc"))
    assert sum(counted) == computed
    assert (again.status, again.reused) == ("done", again.total)
    assert sorted(values(again).values()) == sorted(values(first).values())
    means = [
        list(run.system_scores.order_by("system__label", "kind").values_list("kind", "value", "n"))
        for run in (first, again)
    ]
    assert means[0] == means[1]


@pytest.mark.parametrize("slug", ["again", None])
def test_scores_of_texts_that_came_at_different_times_are_found(
    counted: list[int], slug: str | None
) -> None:
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


def test_a_second_run_of_a_corpus_metric_has_the_same_corpus_scores() -> None:
    campaign = make_campaign(items=6, open_it=False)
    first, again = finish(started(campaign)), finish(started(campaign))
    assert again.reused == again.total
    columns = ("system", "kind", "value", "n")
    assert list(again.system_scores.values_list(*columns)) == (
        list(first.system_scores.values_list(*columns))
    )


@pytest.mark.parametrize("change", ["option", "reference", "sentence", "failed"])
def test_what_is_not_the_same_is_scored(counted: list[int], change: str) -> None:
    first = finish(started(make_campaign("first", items=3, open_it=False), "pinc"))
    rows = item_rows(3)
    if change == "reference":
        rows = [{**row, "reference": "Another."} for row in rows]
    if change == "sentence":
        rows = [{**row, "sentence": row["sentence"] + " More."} for row in rows]
    if change == "failed":
        first.scores.update(value=None, reason="Scoring failed: out of luck")
    second = make_campaign("second", rows=rows, open_it=False)
    run = finish(started(second, "pinc:max_n=3" if change == "option" else "pinc"))
    assert run.reused == 0
    assert counted[-1] == run.total and run.scores.exclude(value=None).count() == run.total


def test_a_group_counts_where_the_metric_looks_at_it() -> None:
    first = finish(started(make_campaign("first", items=3, open_it=False), "toy-grouped"))
    assert {score.value for score in first.scores.all()} == {2.0, 1.0}
    second = make_campaign("second", items=3, open_it=False)
    later(second)
    run = finish(started(second, "toy-grouped"))
    item = later(second).item
    assert run.reused == first.total - 2
    assert [score.value for score in run.scores.filter(substitution__item=item)] == [3.0] * 3


def test_a_sentence_of_its_own_is_another_original() -> None:
    row = item_rows(1, 1)[0]
    other = {"own_sentence": "It has elsewhere in it.", "own_start": 7, "own_end": 16}
    rows = [row, {**row, "paraphrase": "elsewhere", "system": "S1", **other}]
    campaign = make_campaign(rows=rows, open_it=False)
    run = finish(started(campaign, "toy-grouped"))
    assert {score.value for score in run.scores.all()} == {1.0}


def test_a_copied_campaign_takes_its_scores(counted: list[int]) -> None:
    campaign = make_campaign(items=6, open_it=False)
    first = finish(started(campaign, "pinc"))
    computed = sum(counted)
    copy = campaign_copy(campaign=campaign, slug="copy", texts=True, actor=None)
    again = finish(started(copy, "pinc"))
    assert (again.reused, again.total, sum(counted)) == (first.total, first.total, computed)
