"""The wide table: every number of a text beside its text, in the form that `correlate` reads."""

import csv
import io
import json

import pytest
from django.core.management import call_command

from scoring.correlation.report import correlation_for
from scoring.ratings.choice import Choice
from tests.clients import client_of
from tests.factories import make_campaign
from tests.scoring.factories import written


def rows_of(content):
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_correlate_on_the_file_gives_the_numbers_of_the_page(campaign, tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_bytes(written(campaign, "table"))
    call_command(
        "correlate",
        str(path),
        "--human",
        "MEANING",
        "--metric",
        "pinc",
        "--cluster",
        "phrase",
        "--bootstrap",
        "0",
        "--json",
    )
    alone = json.loads(capsys.readouterr().out)["human"]["MEANING"]["metrics"]["pinc"]
    of_page = correlation_for(campaign=campaign, choice=Choice())["human"]
    page = of_page["MEANING"]["metrics"]["pinc"]
    for name in ("pearson", "spearman", "kendall"):
        assert alone[name]["value"] == pytest.approx(page[name]["value"], abs=1e-12)
        assert alone[name]["n"] == page[name]["n"] == campaign.substitutions.count()


def test_every_text_has_its_gold_systems_and_scores(campaign):
    rows = rows_of(written(campaign, "table"))
    assert len({row["text_key"] for row in rows}) == len(rows) == campaign.substitutions.count()
    assert {row["systems"] for row in rows} == {"S0", "S1"}
    assert all(row["pinc"] and row["bleu"] and row["MEANING"] for row in rows)
    assert {row["pass"] for row in rows} <= {"0", "1", "0.0", "1.0"}
    # Texts of one item have one key of it.
    assert len({row["item_key"] for row in rows}) == 12


def test_points_of_a_figure_name_their_texts(campaign):
    run = campaign.runs.order_by("pk").first()
    address = f"/c/camp/correlation/figure/scatter.csv?run={run.key}&scale=MEANING"
    points = rows_of(client_of("vera").get(address).content)
    table = {row["text_key"]: row for row in rows_of(written(campaign, "table"))}
    assert len(points) == len(table)
    for point in points:
        row = table[point["text_key"]]
        for name in ("phrase", "paraphrase", "systems"):
            assert point[name] == row[name]
        for name, column in (("x", run.label), ("y", "MEANING")):
            assert float(point[name]) == pytest.approx(float(row[column]))


# Reading a campaign a part at a time: items by key, each in a query that ends before the part is
# handed on, so that no transaction stays open while a slow client reads.


def test_queries_follow_parts_not_rows(django_assert_max_num_queries):
    campaign = make_campaign("many", items=60, open_it=False)
    with django_assert_max_num_queries(27):
        written(campaign, "items", format="jsonl")
        written(campaign, "judgments", format="jsonl")
