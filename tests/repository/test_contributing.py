"""docs/extending.md, followed to the letter: its metric and statistic stand on every surface."""

import csv
import io
import json
import re
import sys
import textwrap
import tomllib
import zipfile
from html import unescape

import pytest
from django.core.management import call_command
from django.urls import reverse

from scoring.exports.paper import paper_write
from scoring.metrics import Pair, create
from scoring.metrics.registry import metric_class
from scoring.paper.tables import escape
from scoring.stats import RatingTable, agreement_statistics
from scoring.stats.agreement.catalogue import coefficients
from tests import HOME
from tests.clients import client_of, text_of
from tests.draws import draw_few, draw_no_figures
from tests.repository.test_docs import HEADINGS
from tests.scoring.factories import judged

TEXT = (HOME / "docs" / "extending.md").read_text("utf-8")


def block(kind):
    [found] = re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL)
    return textwrap.dedent(found)


def install(what, folder, patch):
    """The package as pip would leave it."""
    [(group, entries)] = tomllib.loads(block(f"toml {what}"))["project"]["entry-points"].items()
    [(name, target)] = entries.items()
    module = target.partition(":")[0]
    (folder / f"{module}.py").write_text(block(f"python {what}"), "utf-8")
    if what == "metric":
        (folder / f"{name}.md").write_text(block("markdown metric"), "utf-8")
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {target}\n")
    patch.syspath_prepend(str(folder))
    patch.delitem(sys.modules, module, raising=False)


@pytest.fixture
def metric(tmp_path, monkeypatch):
    draw_few(monkeypatch)
    draw_no_figures(monkeypatch)
    install("metric", tmp_path, monkeypatch)
    metric_class.cache_clear()
    yield "shared_words"
    metric_class.cache_clear()


@pytest.fixture
def statistic(tmp_path, monkeypatch):
    draw_few(monkeypatch)
    install("statistic", tmp_path, monkeypatch)
    coefficients.cache_clear()
    yield "mean_range"
    coefficients.cache_clear()


def paper_of(campaign):
    stream = io.BytesIO()
    paper_write(campaign=campaign, stream=stream)
    with zipfile.ZipFile(stream) as archive:
        names = (name for name in archive.namelist() if not name.endswith(".pdf"))
        return {name: archive.read(name).decode() for name in names}


def html_of(answer):
    return unescape(answer.content.decode())


def column_of(text, name):
    return {row[name] for row in csv.DictReader(io.StringIO(text))}


def json_of(capsys, *command):
    call_command(*command, "--json")
    return json.loads(capsys.readouterr().out)


def test_the_statistic_computes(statistic):
    found = agreement_statistics(RatingTable.from_dense([[1, 4], [2, 2], [5, 4]]))[statistic]
    assert found.value == pytest.approx(4 / 3) and found.n == 3
    none = agreement_statistics(RatingTable.from_dense([[1.0], [2.0]]))[statistic]
    assert none.reason == "undefined: no unit has two ratings"


@pytest.mark.slow
@pytest.mark.django_db
def test_every_statistic_stands_on_every_surface(statistic, tmp_path, capsys):
    campaign, keys = judged(noise=0.95), set(coefficients())
    assert statistic in keys
    vera = client_of("vera")
    page = html_of(vera.get(reverse("agreement", args=[campaign.slug])))
    raw, _, passes = page.partition("Decisions: ")
    beside = text_of(vera.get(reverse("compare", args=[campaign.slug])))
    answer = vera.get(f"/api/v1/campaigns/{campaign.slug}/reports/agreement").json()["result"]
    files = paper_of(campaign)
    (tmp_path / "ratings.csv").write_text(files["ratings.csv"], "utf-8")
    command = ("agreement", str(tmp_path / "ratings.csv"))
    reported = json_of(capsys, *command)["scales"]
    call_command(*command)
    printed = capsys.readouterr().out
    assert keys <= column_of(files["agreement.csv"], "statistic")
    tex = files["agreement.tex"].replace(r"\hspace{0pt}", "")
    for key, one in coefficients().items():
        marked = f'data-statistic="{key}"'
        assert marked in raw and (marked in passes) == one.of_passes, key
        assert one.label in raw and one.label in beside and one.source in raw, key
        # The ICC that the design calls for says why instead.
        assert one.says in raw or key == answer["scales"]["MEANING"]["answer"]["icc"], key
        for block_of in (answer["scales"]["MEANING"], answer["passes"]["ALL"]):
            assert {"value", "ci_low", "n", "method", "reason"} <= set(block_of[key]), key
        shown = answer["scales"]["MEANING"][key]["value"]
        assert reported["MEANING"][key]["value"] == pytest.approx(shown), key
        assert re.search(rf"^{key} ", printed, re.MULTILINE), key
        assert f"{escape(one.printed)} & " in tex, key
    assert answer["scales"]["MEANING"][statistic]["ci_low"] is not None


def test_the_metric_scores_and_its_page_is_as_ours_are(metric, tmp_path, capsys):
    made = create(metric)
    assert made.score(Pair("the cat sat", "the dog sat")).value == pytest.approx(2 / 3)
    assert made.score(Pair("x", "a b", ("a c", "b d"))).value == 1
    assert made.score(Pair("a", " ")).reason == "The paraphrase has no words."
    assert create(metric, {"against": "original"}).score(Pair("x", "x", ("y",))).value == 1
    assert str(made.signature()) == "shared_words|against:auto|shared_words-formula=1"
    text = block("markdown metric")
    assert tuple(re.findall(r"^## (.*)$", text, re.MULTILINE)) == HEADINGS
    assert all(f"`{option.name}`" in text for option in metric_class(metric).OPTIONS)
    (tmp_path / "pairs.csv").write_text("id,original,paraphrase\n1,a b,b c\n", "utf-8")
    found = json_of(capsys, "score", str(tmp_path / "pairs.csv"), "--metric", metric)
    assert found["metrics"][metric]["scores"] == {"1": 0.5}


@pytest.mark.slow
@pytest.mark.django_db
def test_the_metric_stands_on_every_surface(metric):
    campaign = judged()
    at = f"/api/v1/campaigns/{campaign.slug}"
    vera, alice = client_of("vera"), client_of("alice")
    assert "Shared words" in text_of(vera.get("/metrics/"))
    about = text_of(vera.get(f"/metrics/{metric}/"))
    assert "Order and meaning." in about and all(heading in about for heading in HEADINGS)
    assert f'value="{metric}"' in html_of(alice.get(reverse("runs", args=[campaign.slug])))
    call_command("run_metric", campaign.slug, "--metric", metric, "--wait")
    [run] = vera.get(f"{at}/runs").json()["results"]
    assert (run["metric"], run["status"], run["failed"]) == (metric, "done", 0)
    scores = vera.get(f"{at}/runs/{run['key']}/scores").json()["results"]
    assert scores and all(one["value"] is not None for one in scores)
    again = alice.post(f"{at}/runs", {"metric": metric}, content_type="application/json")
    assert again.status_code in (200, 201)
    report = vera.get(f"{at}/reports/correlation").json()["result"]
    assert metric in report["human"]["MEANING"]["metrics"]
    for name in ("correlation", "one-metric", "runs"):
        assert "Shared words" in text_of(vera.get(reverse(name, args=[campaign.slug]))), name
    files = paper_of(campaign)
    assert metric in column_of(files["correlation.csv"], "metric")
    assert f"{escape(metric_class(metric).title)} & " in files["correlation.tex"]
