"""Frames hold what the exports and pages hold; the notebook of the examples runs."""

import asyncio
import io
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pandas
import pytest

from annotation.models import Annotator
from scoring import frames
from scoring.agreement.report import agreement_for
from scoring.exports.services import export_write
from scoring.ratings.choice import Choice
from scoring.runs.start import run_start
from tests.clients import client_of
from tests.factories import (
    add_items,
    add_judgments,
    exclude,
    item_rows,
    judgment_row,
    make_campaign,
)
from tests.notebooks import notebook
from tests.scoring.factories import finish


@pytest.fixture
def scored():
    """6 items of two systems, judged by two people and scored by a metric."""
    campaign = make_campaign("demo", items=6, systems=2, open_it=False)
    texts = list(campaign.substitutions.select_related("item").order_by("pk"))
    add_judgments(
        campaign,
        [
            judgment_row(f"item-{text.item.position}", text.text, name, 1 + (at * step) % 5, scale)
            for at, text in enumerate(texts)
            for name, step in (("a", 2), ("b", 3))
            for scale in ("MEANING", "GRAMMAR")
        ],
    )
    finish(run_start(campaign=campaign, spec="pinc", actor=None, scope="phrase"))
    return campaign


@pytest.mark.slow
@pytest.mark.django_db
def test_the_notebook_runs(scored):
    known = notebook("campaign.ipynb")
    assert len(known["means"]) == 4  # two systems, two scales
    assert known["counted"]["value"].between(1, 5).all() and known["counted"]["counts"].all()
    assert {"MEANING", "MEANING + GRAMMAR"} <= set(known["correlation"]["human"])


@pytest.mark.django_db
def test_frames_hold_what_the_exports_hold(scored):
    for what in ("items", "judgments", "gold", "table"):
        out = io.BytesIO()
        export_write(campaign=scored, what=what, stream=out, format="parquet")
        exported = pandas.read_parquet(io.BytesIO(out.getvalue()))
        found = getattr(frames, what)("demo")
        more = ["counts"] if what == "judgments" else []
        assert list(found.columns) == [*exported.columns, *more]
        assert found["paraphrase"].tolist() == exported["paraphrase"].tolist()
    scores = frames.scores("demo")
    assert "MEANING" not in scores.columns and len(scores) == scored.substitutions.count()
    results = frames.results("demo", unit="gold")
    assert set(results["outcome"]) >= {"coverage", "mean"}
    with pytest.raises(KeyError, match="nowhere"):
        frames.judgments("nowhere")


@pytest.mark.django_db
def test_judgments_that_count_are_those_behind_the_numbers(scored):
    """As many as the page of agreement has, whatever else is in the export."""
    text = scored.substitutions.order_by("pk").first()
    place = {"item": f"item-{text.item.position}", "paraphrase": text.text, "scale": "MEANING"}
    add_items(
        scored,
        [{**item_rows(1)[0], "system": None, "rank": None, "role": "control", "paraphrase": "x"}],
    )
    extra = [
        {**place, "annotator": "a", "value": 2, "occasion": 2},
        {**place, "annotator": "b", "value": 2, "kind": "adjudication"},
        {**place, "annotator": "c", "value": None, "reason": "names"},
        {**place, "annotator": "d", "value": 1, "status": "surplus"},
        {**place, "annotator": "e", "value": 1},
        judgment_row("item-0", "x", "a", 1),
    ]
    add_judgments(scored, extra)
    exclude(Annotator.objects.get(code="e"), reason="x", free_slots=False)
    found, every = frames.judgments("demo"), frames.judgments("demo", only_counted=False)
    assert len(every) == len(found) + len(extra)
    assert found["counts"].all() and every["counts"].sum() == len(found)
    row = ["annotator", "scale", "occasion", "kind", "status", "value", "counts"]
    address = "/api/v1/campaigns/demo/judgments?page_size=5000"
    by_api = pandas.DataFrame(client_of("alice").get(address).json()["results"])
    [site, export] = (
        Counter(map(tuple, one[row].astype(object).where(one[row].notna(), None).to_numpy()))
        for one in (by_api, every)
    )
    assert site == export
    report = agreement_for(campaign=scored, choice=Choice())
    ratings = sum(block["n_ratings"] for block in report["scales"].values())
    assert len(found) == ratings == 2 * 2 * scored.substitutions.filter(role="output").count()


@pytest.mark.django_db(transaction=True)
def test_a_notebook_asks_from_its_event_loop(monkeypatch):
    """Where Django refuses to wait for a database."""
    make_campaign("demo", items=2, open_it=False)
    monkeypatch.delenv("DJANGO_ALLOW_ASYNC_UNSAFE")

    async def cell():
        return len(frames.items("demo"))

    with ThreadPoolExecutor(1) as pool:  # Browser tests leave a loop running in this thread.
        assert pool.submit(asyncio.run, cell()).result() == len(frames.items("demo")) > 0
