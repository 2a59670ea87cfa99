"""What the pure packages say has a Korean text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation

from annotation.services.claiming import claim_next
from annotation.wording import Wording
from scoring.metrics.neural_models import NO_LIBRARIES, NO_MODEL
from scoring.metrics.registry import create, metric_class, names
from scoring.metrics.wordnet import MISSING
from scoring.services.reports import KINDS, report_get
from scoring.stats.mean_squares import GENERALISES
from scoring.wording import worded
from tests.factories import make_annotator, make_campaign, rate_sheet

PACKAGES = ("scoring/stats", "scoring/metrics")
# Where a sentence for readers goes: a keyword of a call, or a variable of that name.
SAID = {"reason", "method", "summary", "interval", "generalises_to", "confidence_is", "no_interval"}
HOLE = "7"
WORDS = re.compile("[a-z].* ")  # Less is a code, or put together of other sentences.


def sentences() -> Iterator[tuple[str, str]]:
    """(file, sentence) of every literal that readers see; a hole of an f-string holds a 7."""
    for package in PACKAGES:
        for path in sorted(Path(settings.BASE_DIR, package).glob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            parts = {
                part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
                for part in node.values
            }  # fmt: skip
            for node in ast.walk(tree):
                if node not in parts:
                    yield from ((path.name, text) for text in _said(node) if WORDS.search(text))


def _said(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant | ast.JoinedStr):
        yield from (text for text in _texts(node) if text.startswith("undefined: "))
    elif (
        isinstance(node, ast.keyword)
        and node.arg in SAID
        or isinstance(node, ast.Assign)
        and any(isinstance(one, ast.Name) and one.id in SAID for one in node.targets)
    ):
        yield from _texts(node.value)
    elif isinstance(node, ast.Call):
        yield from _refused(node)


def _refused(call: ast.Call) -> Iterator[str]:
    """What readers of files say: `FILE:LINE: sentence`."""
    if ast.unparse(call.func) == "FileRefused" and call.args:
        yield from _texts(call.args[0])
    elif ast.unparse(call.func) in ("problems.add", "self.problems.add"):
        yield from (f"{HOLE}:{HOLE}: {text}" for text in _texts(call.args[1]))


def _texts(node: ast.AST) -> Iterator[str]:
    """The texts that an expression may have, as far as it says them itself."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            str(part.value) if isinstance(part, ast.Constant) else HOLE for part in node.values
        )
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


def test_every_sentence_of_statistics_has_a_template() -> None:
    missing = {f"{name}: {text}" for name, text in sentences() if worded.parts(text) is None}
    assert not missing, "add them to scoring/wording.py:\n" + "\n".join(sorted(missing))


@pytest.mark.parametrize("of", ["units", "items", "phrases", "clusters"])
@pytest.mark.parametrize("who", [", new annotators", ", these annotators", ""])
def test_whom_an_interval_speaks_of_is_said_to_its_end(of: str, who: str) -> None:
    """A template that is too short would leave English words in its hole."""
    with translation.override("ko"):
        assert not re.search("[a-z]", worded(f"new {of}{who}"))
    assert {f"new units{who}" for who in (", new annotators", ", these annotators")} == set(
        GENERALISES.values()
    )


@pytest.mark.parametrize("name", names())
def test_every_summary_of_a_metric_has_a_template(name: str) -> None:
    about = " ".join((metric_class(name).__doc__ or "").partition("\n\n")[0].split())
    said = [about, *(option.summary for option in metric_class(name).OPTIONS)]
    assert [text for text in said if worded.parts(text) is None] == []


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("pinc", {"max_n": "99"}),
        ("bleu", {"smooth": "hard"}),
        ("ibleu", {"alpha": "7"}),
        ("combine", {}),
        ("combine", {"of": "no metric"}),
        ("combine", {"of": "bleu+pinc", "weights": "1"}),
        ("combine", {"of": "bleu+pinc", "weights": "one"}),
        ("combine", {"of": "combine{of=bleu}+pinc"}),
    ],
)
def test_what_is_refused_in_the_form_has_a_template(metric: str, options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=".") as refusal:
        create(metric, options)
    assert worded.parts(str(refusal.value)) is not None, refusal.value


def test_what_a_machine_lacks_has_a_template() -> None:
    assert [text for text in (NO_LIBRARIES, NO_MODEL, MISSING) if not worded.parts(text)] == []


@pytest.mark.django_db
def test_every_method_of_a_real_report_has_a_template() -> None:
    """Sentences that are put together, or handed on by position, which the sources do not show."""
    campaign = make_campaign(items=6, k=3)
    for name in ("bob", "ben", "beth"):
        voice = make_annotator(campaign, name)
        while (sheet := claim_next(annotator=voice)) is not None:
            rate_sheet(voice, sheet, 1 + (len(name) * (sheet.item.position + 1)) % 5)
    missing = set()
    for kind in KINDS:
        report = report_get(campaign=campaign, kind=kind, actor=None).result
        missing |= {f"{kind}: {text}" for text in told(report) if not worded.parts(text)}
    assert not missing, "add them to scoring/wording.py:\n" + "\n".join(sorted(missing))


def told(report: Any, key: str = "") -> Iterator[str]:
    """The methods and reasons in a report, wherever they stand."""
    if isinstance(report, dict):
        inside = "method" if key in ("methods", "reasons") else ""
        for name, part in report.items():
            yield from told(part, inside or name)
    elif isinstance(report, list | tuple):
        for part in report:
            yield from told(part, key)
    elif isinstance(report, str) and key in SAID and WORDS.search(report):
        yield report


def test_a_template_is_found_back_with_what_stands_in_its_holes() -> None:
    wording = Wording(["%(a)s of %(b)s", "%(a)s of %(b)s items", "all 100 %% of %(n)s", "plain"])
    assert wording.parts("3 of 5 items") == ("%(a)s of %(b)s items", (("a", "3"), ("b", "5")))
    assert wording.parts("all 100 % of 7") == ("all 100 %% of %(n)s", (("n", "7"),))
    assert wording.parts("plain") == ("plain", ())
    assert wording.parts("plain!") is None
    assert wording("all 100 % of 7") == "all 100 % of 7"
    assert wording("somebody's own words") == "somebody's own words"


def test_a_stored_sentence_is_said_in_korean() -> None:
    with translation.override("ko"):
        said = worded("undefined: needs 3 units, has 2")
    assert "3" in said and "2" in said and "undefined" not in said
