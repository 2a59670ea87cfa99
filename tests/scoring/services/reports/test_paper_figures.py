"""The figures of the zip for a paper, and how to cite what is in it."""

import csv
import hashlib
import io
import json

import pytest

from tests.factories import make_campaign
from tests.scoring.factories import done_run, paper_of
from tests.scoring.hand import hand_campaign
from tests.scoring.paper.tex import needs_pdflatex, too_large


def x_of(files, name):
    rows = csv.DictReader(io.StringIO(files[f"figures/{name}.csv"].decode()))
    return sorted(float(row["x"]) for row in rows)


@pytest.mark.slow
def test_the_zip_holds_the_figures_with_their_numbers_and_cites_the_metrics_used(
    one_world, request
):
    campaign, run, _ = one_world
    files = paper_of(campaign)
    request.getfixturevalue("undrawn")  # That a drawing is the same each time: scoring/figures.
    again = paper_of(campaign)
    figures = {name.removeprefix("figures/") for name in files if name.startswith("figures/")}
    drawn = {name.removesuffix(".pdf") for name in figures if name.endswith(".pdf")}
    # One metric has none to be among; MEANING, GRAMMAR and their sum have a scatter plot each.
    assert {"coefficients", "scatter-1", "scatter-2", "scatter-3", "values-1"} <= drawn
    assert "among" not in drawn
    assert {f"{name}.csv" for name in drawn} == figures - {f"{name}.pdf" for name in drawn}
    changed = {name for name in files.keys() | again.keys() if files.get(name) != again.get(name)}
    assert changed == {"manifest.json", *(f"figures/{name}.pdf" for name in drawn)}
    assert all(files[f"figures/{name}.pdf"].startswith(b"%PDF") for name in drawn)
    assert x_of(files, "scatter-1") == sorted(run.scores.values_list("value", flat=True))
    cited = files["references.bib"].decode()
    assert cited.startswith("@misc{paraanno,") and "{papineni2002," in cited
    assert "{chen2011," not in cited  # PINC was not run.
    assert "- BLEU" in files["CITATION.md"].decode()


@pytest.mark.usefixtures("undrawn")
def test_the_closest_metric_is_drawn(one_world):
    """The scores of the world rise with the values of people but for two texts; these fall."""
    campaign = one_world[0]
    texts = campaign.substitutions.order_by("pk").values_list("text", flat=True)
    done_run(campaign, {text: -5.0 - at for at, text in enumerate(texts)}, spec="pinc")
    files = paper_of(campaign)
    for name in ("scatter-1", "scatter-2"):
        assert x_of(files, name)[0] == 0
    assert "figures/among.pdf" in files


def test_without_judgments_and_metrics_there_are_no_figures_and_no_metric_is_cited():
    files = paper_of(make_campaign())
    methods = files["methods.md"].decode()
    assert "0 judgments" in methods and "undefined" in methods
    assert not [name for name in files if name.startswith("figures/")]
    text = files["references.bib"].decode()
    assert "{papineni2002," not in text and "{krippendorff2011," in text


@pytest.mark.slow
@pytest.mark.once  # TeX asks no database.
@needs_pdflatex
@pytest.mark.usefixtures("undrawn")
def test_pdflatex_sets_the_tables_of_a_zip(one_world, tmp_path):
    files = paper_of(one_world[0])
    tables = [text.decode() for name, text in files.items() if name.endswith(".tex")]
    assert len(tables) == 3
    assert too_large(tables, tmp_path) == []


# The file for a paper, from a campaign.


@pytest.fixture
def campaign():
    return hand_campaign()


@pytest.mark.slow
def test_its_manifest_is_true(campaign):
    files = paper_of(campaign)
    manifest = json.loads(files.pop("manifest.json"))["files"]
    assert {name: one["sha256"] for name, one in manifest.items()} == {
        name: hashlib.sha256(content).hexdigest() for name, content in files.items()
    }
