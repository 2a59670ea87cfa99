"""What stands in a catalogue stands on its page, in API, command, files of a paper and docs."""

import csv
import io
import json
import re
from typing import get_args

import numpy as np
import pytest
from django.core.management import call_command

from annotation.models import Annotator
from paraanno.common.texts import Sentence
from scoring.models import Score, SystemScore
from scoring.stats.agreement.catalogue import FIELDS, coefficients
from scoring.stats.annotators import catalogue
from scoring.stats.evaluation import catalogue as evaluation_catalogue
from scoring.stats.evaluation.catalogue import at
from scoring.stats.gold import latent
from scoring.stats.systems import catalogue as systems_catalogue
from tests.clients import client_of, text_of
from tests.draws import draw_no_figures
from tests.repository.tables import DOCS, correlation_table, results_table
from tests.repository.test_contributing import html_of, paper_of
from tests.scoring.factories import done_run, judged


@pytest.fixture(autouse=True)
def no_figures(monkeypatch):
    draw_no_figures(monkeypatch)  # `paper_of` leaves them out.


@pytest.fixture
def printed(capsys):
    """What a command prints."""

    def run(*words):
        call_command(*words)
        return capsys.readouterr().out

    return run


@pytest.fixture
def campaign():
    return judged()


@pytest.fixture
def scored(campaign):
    """Judged texts of systems, and two metrics, one with a score for each whole system."""
    rng = np.random.default_rng(2)
    texts = list(campaign.substitutions.order_by("pk"))
    for spec in ("bleu", "pinc"):
        run = done_run(campaign, {}, spec=spec)
        Score.objects.bulk_create(
            Score(run=run, substitution=one, value=float(rng.normal())) for one in texts
        )
    for value, system in enumerate(campaign.systems.order_by("label")):
        SystemScore.objects.create(
            run=campaign.runs.get(metric="bleu"), system=system, kind="corpus", value=value, n=10
        )
    return campaign


def get(address):
    """A page of the campaign, as a researcher gets it."""
    return client_of("dora").get(f"/c/camp/{address}")


def report(kind):
    """What the API answers."""
    return client_of("dora").get(f"/api/v1/campaigns/camp/reports/{kind}").json()["result"]


def marked(page, label, says):
    """Whether the page has a head with that label, and what it says beside it."""
    return f'title="{says}">{label}</th>' in page


def in_one_line(table):
    """A LaTeX table with the heads of its columns in one line each."""
    return re.sub(r"\\shortstack\[r\]\{(.*?)\\\\(.*?)\}", r"\1 \2", table)


def column_of(text, name):
    """The values of a column, each once, in order."""
    return list(dict.fromkeys(row[name] for row in csv.DictReader(io.StringIO(text))))


@pytest.mark.slow
def test_every_gold_method_stands_on_every_surface(campaign, printed):
    docs = (DOCS / "gold-and-results.md").read_text("utf-8")
    as_json = json.loads(printed("gold", "camp", "--json"))
    for answer in (as_json, report("gold")):
        assert list(answer["methods"]) == list(latent.METHODS)
    lines = printed("gold", "camp")
    for method in latent.CATALOGUE:
        page = text_of(get(f"gold/?method={method.key}"))
        assert method.label in page, method.key
        assert method.says in page or method.key == "mean", method.key  # The default says none.
        assert f"| `{method.key}` |" in docs and method.key in lines, method.key
        call_command("export", "camp", what="gold", method=method.key, output="/dev/null")


def test_every_number_about_annotators_stands_on_every_surface(campaign):
    docs = (DOCS / "annotators.md").read_text("utf-8")
    answer = report("annotators")
    methods = {**answer["scales"]["MEANING"]["methods"], **answer["pace"]["methods"]}
    every = text_of(get("annotators/"))
    page = text_of(get(f"annotators/{Annotator.objects.get(code='x').key}/"))
    for number in catalogue.CATALOGUE:
        assert number.key in methods and f"`{number.key}`" in docs, number.key
        if number.source != "pace":  # Imported judgments without times have none.
            assert number.label in page and number.says in page, number.key
            assert not number.column or number.short in every, number.key


@pytest.mark.slow
def test_every_coefficient_of_metrics_stands_on_its_pages(scored):
    whole, main, systems, mixes, differences, stability = (
        html_of(get(f"correlation/{address}"))
        for address in ("report/", "", "systems/", "mixes/", "differences/", "stability/")
    )
    assert set().union(*(one.levels for one in evaluation_catalogue.CATALOGUE)) == set(
        get_args(evaluation_catalogue.Level)
    )
    for page, levels in (
        (main, ("main", "further", "within", "passes")),
        (systems, ("systems",)),
        (mixes, ("curve", "mixes")),
        (whole, ("main", "passes")),
    ):
        for level in levels:
            for key, label in at(level).items():
                says = evaluation_catalogue.COEFFICIENTS[key].says
                assert marked(page, label, says), (level, key)
    for key, label in at("comparisons").items():
        assert f">{label}</th>" in differences and f">{label}</th>" in whole, key
    for key, label in at("stability").items():
        assert re.search(rf'<option value="{key}"[^>]*>{re.escape(label)}<', stability)


@pytest.mark.slow
def test_every_number_of_the_results_stands_on_every_surface(scored, printed):
    named, files = systems_catalogue.named, paper_of(scored)
    as_json = json.loads(printed("results", "camp", "--json"))
    for found in (report("results"), as_json, json.loads(files["results.json"])):
        one = next(iter(found["systems"].values()))
        whole_pair = next(row for row in found["pairs"] if row["scale"] is None)
        for of, block in {
            "whole": found,
            "system": one,
            "scale": one["scales"]["MEANING"],
            "pair": whole_pair,
            "clusters": found["clusters"][0],
        }.items():
            assert set(named(of)) <= {*block, *block.get("mcnemar", {})}, of
    page, lines = (
        html_of(get("results/")),
        printed("results", "camp", "--unadjusted-clusters", "--as-in-paper"),
    )
    assert f"<caption>{named('scale')['pass'].label}</caption>" in page
    for one in systems_catalogue.CATALOGUE:
        if one.of == "whole":
            assert f"<dt>{one.label}</dt>" in page, one.key
        elif one.of == "clusters":
            assert f"{one.label}: {one.says}." in page, one.key
        else:
            assert marked(page, one.label, one.says) or one.key == "pass", one.key
        start = r"^" if one.of in ("system", "scale", "clusters") else r"^pair +by .*"
        assert not one.line or re.search(start + re.escape(one.line), lines, re.MULTILINE), one
        table = in_one_line(files["results.tex"])
        assert not one.printed or re.search(rf"[ &]{one.printed}[ \\(]", table), one.key
    # Letters stand beside their numbers, and head no column.
    letters = {one for block in found["clusters"] for one in block["letters"].values()}
    assert letters and letters == set(column_of(files["results.csv"], "letters")) - {""}
    assert letters == set(re.findall(r"\\textsuperscript\{(\w+)\}", files["results.tex"]))
    outcomes = set(column_of(files["results.csv"], "outcome"))
    assert outcomes == {one.key for one in systems_catalogue.CATALOGUE if one.printed} - {"n"}


def test_the_tables_of_the_documentation_are_the_catalogues():
    for name, made in (("correlation", correlation_table()), ("gold-and-results", results_table())):
        text = (DOCS / f"{name}.md").read_text("utf-8")
        assert made in text, f"docs/{name}.md should hold\n{made}"


@pytest.mark.parametrize("one", [*evaluation_catalogue.CATALOGUE, *systems_catalogue.CATALOGUE])
def test_entries_are_whole(one):
    assert isinstance(one.label, Sentence) and isinstance(one.says, Sentence)
    assert one.label and one.says and one.formula and one.printed.isascii()


@pytest.mark.slow
def test_a_block_of_agreement_has_its_coefficients_and_the_fields_no_package_may_take(
    campaign, tmp_path, printed
):
    answer, path = report("agreement"), tmp_path / "r.csv"
    blocks = [*answer["scales"].values(), *answer["passes"].values()]
    path.write_text(paper_of(campaign)["ratings.csv"], "utf-8")
    command = ("agreement", str(path), "--influence", "--chance", "9", "--json")
    blocks += json.loads(printed(*command))["scales"].values()
    own = {key for block in blocks for key in block} - set(coefficients())
    assert {key for key in own if not key.endswith("_parts")} == FIELDS
