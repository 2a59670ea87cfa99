"""Runs that share their work, and take scores that are there."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Substitution
from scoring.metrics.pinc import Pinc
from scoring.models import RunChunk, Score
from scoring.selectors.items import item_view
from scoring.selectors.runs import run_columns
from scoring.services import runs_chunks, runs_claim, runs_work
from scoring.services.runs import run_start
from scoring.services.runs_work import run_work
from tests.engine.parts import later, values
from tests.engine.test_runs import finish, started
from tests.factories import add_items, item_rows, make_campaign
from tests.scoring_pages.test_pages import login

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy_metrics")]


# Together


def test_runs_started_together_read_the_texts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_campaign(items=9, open_it=False)
    monkeypatch.setattr(Pinc, "chunk_size", 4)
    runs = [
        started(campaign, spec)
        for spec in ("pinc", "pinc:lowercase=yes", "pinc:max_n=2", "pinc:max_n=3")
    ]
    read: list[int] = []
    whole = runs_chunks.read_texts

    def reading(**given: Any) -> Any:
        found = whole(**given)
        read.append(len(found.ids))
        return found

    monkeypatch.setattr(runs_chunks, "read_texts", reading)
    for run in runs:
        run_work(run_pk=run.pk)  # All are prepared.
    finish(runs[0])
    assert sum(read) == runs[0].total
    for run in runs:
        run.refresh_from_db()
        assert (run.status, run.done) == ("done", run.total)
        alone = finish(started(make_campaign(f"alone-{run.pk}", items=9, open_it=False), run.label))
        assert sorted(value for value, _ in values(run).values() if value is not None) == (
            sorted(value for value, _ in values(alone).values() if value is not None)
        )


def test_runs_over_other_texts_or_of_another_queue_are_left_alone() -> None:
    campaign = make_campaign(items=3, open_it=False)
    first, phrase = started(campaign, "pinc"), None
    phrase = run_start(campaign=campaign, spec="pinc", actor=None, scope="phrase")
    korean = run_start(campaign=campaign, spec="toy-korean", actor=None)
    later(campaign)
    more = started(campaign, "pinc:max_n=2")
    for run in (first, phrase, korean, more):
        run_work(run_pk=run.pk)
    finish(first)
    for run in (phrase, korean, more):
        run.refresh_from_db()
        assert (run.status, run.done) == ("running", 0)


def test_one_run_that_breaks_does_not_hold_up_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_campaign(items=3, open_it=False)
    good, bad = started(campaign, "pinc"), started(campaign, "toy-untellable")
    Substitution.objects.filter(pk=Substitution.objects.first().pk).update(text="poison")  # type: ignore[union-attr]
    for run in (good, bad):
        run_work(run_pk=run.pk)
    finish(good)
    assert good.status == "done" and good.failed == 0
    bad = finish(bad)
    assert (bad.status, bad.failed) == ("done", 1)
    assert "not JSON compliant" in bad.error
    assert bad.scores.filter(value=1).count() == bad.total - 1


def test_a_chunk_that_was_tried_goes_alone() -> None:
    campaign = make_campaign(items=3, open_it=False)
    runs = [started(campaign, "pinc"), started(campaign, "pinc:max_n=2")]
    for run in runs:
        run_work(run_pk=run.pk)
        run.refresh_from_db()
    RunChunk.objects.filter(run=runs[0]).update(attempts=1)
    ready = runs_work._ready(runs[0])
    assert [claim.run for claim in runs_claim.chunks_claim(ready)] == [runs[0]]
    assert [one.run for one in runs_work._ready(runs[1])] == runs[::-1]
    assert [claim.run for claim in runs_claim.chunks_claim(runs_work._ready(runs[1]))] == [runs[1]]


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


# Detail


def test_detail_is_kept_and_shown_where_the_metric_says_so() -> None:
    campaign = make_campaign(items=1)
    run = finish(started(campaign, "toy-telling"))
    plain = finish(started(campaign, "pinc"))
    assert set(plain.scores.values_list("detail", flat=True)) == {None}
    item = campaign.items.get()
    scores = dict(item_view(campaign=campaign, key=item.key).texts[0].scores)
    assert scores[run].detail["matched_words"] == 3  # type: ignore[union-attr]
    page = login("alice").get(f"/c/{campaign.slug}/items/{item.key}/").content.decode()
    assert "How toy-telling came to its score" in page
    assert "How pinc" not in page
    assert "<dt>matched words</dt>" in page and "a, b" in page


def test_scores_are_read_as_columns_without_detail() -> None:
    campaign = make_campaign(items=2, open_it=False)
    run = finish(started(campaign, "toy-telling"))
    ids = list(Score.objects.filter(run=run).values_list("substitution_id", flat=True))
    assert run_columns(runs=[run], substitutions=ids)[run.pk].tolist() == [1.0] * len(ids)
