"""Extrinsic evaluation, from the form to the tables."""

import csv

import pytest

from scoring.models import Build
from tests.clients import client_of, html_of
from tests.scoring.services.builds.conftest import campaign
from tests.scoring.services.builds.test_extrinsic import ASKED, table
from tests.scoring.views.builds import build_page

__all__ = ["campaign"]
pytestmark = pytest.mark.usefixtures("data_dir")
FORM = "/c/camp/extrinsic/"


@pytest.mark.slow
def test_from_a_table_to_the_page_of_accuracies(campaign, tmp_path):
    alice = client_of("alice")
    form = html_of(alice.get(FORM))
    assert "How long the paper’s nets take" in form
    assert "the originals of this campaign" not in form  # Its items have phrases.
    assert 'name="option-metrics" value="pinc"' in form, "no vectors are here for weem4pg"
    sent = {f"option-{name}": value for name, value in ASKED.items()}
    page = build_page(alice, FORM, {"source": "file", "file": table(tmp_path), **sent})
    shown = html_of(alice.get(page))
    assert "Accuracy on the originals, by training text" in shown
    assert "Metrics beside the outcomes of the paraphrases" in shown
    # These texts are no items of the campaign.
    assert "Import the paraphrases first" in shown
    assert "Add these columns" not in shown and alice.post(page).status_code == 409
    assert "n = 1 systems: no inference" in shown and 'class="range"' in shown
    assert "Half of the originals" in shown and 'class="beside shuffled"' in shown
    polled = alice.get(page, headers={"HX-Request": "true"})
    assert polled["HX-Refresh"] == "true", "the report stands below what is polled"
    assert alice.get(f"{page}lines.csv").content.count(b"majority") == 1
    assert alice.get(f"{page}?outcome=change&metric=pinc").status_code == 200
    content = alice.get(f"{page}accuracy.csv").content.decode()
    rows = list(csv.DictReader(content.splitlines()))
    assert [row["texts"] for row in rows] == ["text", "PG1"] * 2
    assert r"\toprule" in alice.get(f"{page}correlation.tex").content.decode()
    for name in ("?outcome=luck", "accuracy.pdf", "nothing.csv", "outcomes.tex"):
        assert alice.get(f"{page}{name}").status_code == 404, name


def test_without_classifiers_the_page_names_the_line_that_installs_them(
    campaign, tmp_path, monkeypatch
):
    for module in ("building.recipes.recipe", "builds.views"):
        monkeypatch.setattr(f"scoring.{module}.CLASSIFIERS", ("classifiers", "no_such_package"))
    alice = client_of("alice")
    sent = {f"option-{name}": value for name, value in ASKED.items()}
    refused = alice.post(FORM, {"source": "file", "file": table(tmp_path), **sent})
    line = "The extra classifiers is not installed: run make install-extras"
    assert [html_of(one).count(line) for one in (alice.get(FORM), refused)] == [1, 2]
    assert not Build.objects.exists()
