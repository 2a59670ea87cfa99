"""The metric of the documentation, installed and run as it stands there."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

from scoring.metrics import Pair, create, names
from scoring.metrics.registry import GROUP, metric_class

DOCS = Path(__file__).parent.parent.parent / "docs" / "metrics.md"


def block(kind: str) -> str:
    [found] = re.findall(rf"```{kind} metric\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    return str(found)


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package as pip would leave it."""
    entries = tomllib.loads(block("toml"))["project"]["entry-points"][GROUP]
    [(name, target)] = entries.items()
    (tmp_path / f"{target.partition(':')[0]}.py").write_text(block("python"), encoding="utf-8")
    info = tmp_path / "my_metrics-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-metrics\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {target}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    metric_class.cache_clear()
    yield
    metric_class.cache_clear()


def test_it_has_20_lines() -> None:
    assert len([line for line in block("python").splitlines() if line.strip()]) <= 20


def test_it_scores() -> None:
    assert "shared_words" in names()
    metric = create("shared_words")
    assert metric.score(Pair("the cat sat", "the dog sat")).value == pytest.approx(2 / 3)
    assert metric.score(Pair("x", "a b", ("a c", "b d"))).value == 1
    assert metric.score(Pair("a", " ")).reason == "The paraphrase has no words."
    assert create("shared_words", {"against": "original"}).score(Pair("x", "x", ("y",))).value == 1
    assert str(metric.signature()) == "shared_words|against:auto|shared_words-formula=1"


def test_the_command_takes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "pairs.csv").open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([("id", "original", "paraphrase"), ("1", "a b", "b c")])
    call_command("score", str(tmp_path / "pairs.csv"), "--metric", "shared_words", "--json")
    found = json.loads(capsys.readouterr().out)
    assert found["metrics"]["shared_words"]["scores"] == {"1": 0.5}


@pytest.mark.django_db
def test_a_run_takes_it_and_its_page_shows_its_docstring() -> None:
    from scoring.services.runs import run_start
    from scoring.services.runs_work import run_work
    from tests.factories import make_campaign
    from tests.pages.clients import client_of, text_of

    run = run_start(campaign=make_campaign(items=3), spec="shared_words", actor=None)
    for _ in range(5):
        run_work(run_pk=run.pk)
    run.refresh_from_db()
    assert run.status == "done" and not run.failed
    assert run.scores.exclude(value=None).count() == run.total
    page = text_of(client_of("vera").get("/metrics/shared_words/"))
    assert "Words are what white space parts; case counts." in page and "Shared words" in page
