"""The wide table: every number of a text beside its text, in the form that `correlate` reads."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Campaign
from scoring.selectors.correlation.reports import correlation_for
from scoring.selectors.ratings.choice import Choice
from scoring.services.runs.start import run_start
from tests.clients import client_of
from tests.factories import add_judgments, make_campaign
from tests.scoring.services.reports.files import written
from tests.scoring.services.runs.started import finish

pytestmark = pytest.mark.django_db


@pytest.fixture
def scored() -> Campaign:
    """6 items of two systems, judged by two people and scored by two metrics."""
    campaign = make_campaign(items=6, systems=2, open_it=False)
    texts = list(campaign.substitutions.select_related("item").order_by("pk"))
    add_judgments(campaign, [
        {"item": f"item-{text.item.position}", "paraphrase": text.text, "annotator": name,
         "scale": scale, "value": 1 + (at * step) % 5}
        for at, text in enumerate(texts)
        for name, step in (("a", 2), ("b", 3))
        for scale in ("MEANING", "GRAMMAR")
    ])  # fmt: skip
    for metric in ("pinc", "edit_similarity"):
        finish(run_start(campaign=campaign, spec=metric, actor=None, scope="phrase"))
    return campaign


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_correlate_on_the_file_gives_the_numbers_of_the_page(
    scored: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(written(scored, "table"))
    call_command(
        "correlate", str(path), "--human", "MEANING", "--metric", "pinc", "--cluster", "phrase",
        "--bootstrap", "0", "--json",
    )  # fmt: skip
    alone = json.loads(capsys.readouterr().out)["human"]["MEANING"]["metrics"]["pinc"]
    page = correlation_for(campaign=scored, choice=Choice())["human"]["MEANING"]["metrics"]["pinc"]
    for name in ("pearson", "spearman", "kendall"):
        assert alone[name]["value"] == pytest.approx(page[name]["value"], abs=1e-12)
        assert alone[name]["n"] == page[name]["n"] == scored.substitutions.count()


def test_every_text_has_its_gold_systems_and_scores(scored: Campaign) -> None:
    rows = rows_of(written(scored, "table"))
    assert len({row["text_key"] for row in rows}) == len(rows) == scored.substitutions.count()
    assert {row["systems"] for row in rows} == {"S0", "S1", "S0|S1"}
    assert all(row["pinc"] and row["edit_similarity"] and row["MEANING"] for row in rows)
    assert {row["pass"] for row in rows} <= {"0", "1", "0.0", "1.0"}
    # Texts of one item have one key of it.
    assert len({row["item_key"] for row in rows}) == 6


def test_points_of_a_figure_name_their_texts(scored: Campaign) -> None:
    run = scored.runs.order_by("pk").first()
    address = f"/c/camp/correlation/figure/scatter.csv?run={run.key}&scale=MEANING"
    points = rows_of(client_of("vera").get(address).content)
    table = {row["text_key"]: row for row in rows_of(written(scored, "table"))}
    assert len(points) == len(table)
    for point in points:
        row = table[point["text_key"]]
        for name in ("phrase", "paraphrase", "systems"):
            assert point[name] == row[name]
        for name, column in (("x", run.label), ("y", "MEANING")):
            assert float(point[name]) == pytest.approx(float(row[column]))
