"""What statistics say in real reports is said in Korean, fresh and stored."""

import ast
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from annotation.collecting.claiming import claim_next
from paraanno.common.texts import Sentence, revived, sentence_json
from paraanno.template_filters import translated
from scoring.models import Report
from scoring.ratings.choice import Choice
from scoring.reports.compute import KINDS, report_get
from scoring.stats import Bootstrap
from scoring.stats.evaluation.one_metric import METHOD
from scoring.stats.evaluation.pair_tests import ZOU
from scoring.stats.evaluation.ranking import LEGEND
from scoring.stats.evaluation.report import MetaOptions, meta_evaluation
from scoring.stats.evaluation.stability import powers
from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_campaign, rate_sheet
from tests.repository.texts import entries
from tests.scoring.stats.evaluation.test_report import everything

# The keys under which reports say something to readers.
SAID = {
    "reason",
    "method",
    "interval",
    "generalises_to",
    "confidence_is",
    "no_interval",
    "made_by",
    "pass_reason",
    "pairs_reason",
    "legend",
}
INSIDE = {"methods", "reasons", "warnings"}
WORDS = re.compile("[a-z].* ")  # Less is a code: a method of gold, a column.
TRANSLATED = {entry.key for entry in entries()}


def said(report, key=""):
    """The methods and reasons in a report, wherever they stand."""
    if isinstance(report, dict):
        for name, part in report.items():
            yield from said(part, "method" if key in INSIDE else name)
    elif isinstance(report, list | tuple):
        for part in report:
            yield from said(part, "method" if key in INSIDE else key)
    elif isinstance(report, str) and key in SAID and WORDS.search(report):
        yield report


def faults(text):
    """What of a sentence would stay English on a Korean page."""
    if not isinstance(text, Sentence):
        if re.search("[a-z]{2}", str(text)):
            yield f"{text!r} is not made by say()"
        return
    if text.template and text.template not in TRANSLATED:
        yield f"{text.template!r} has no translation"
    for value in text.values.values():
        yield from faults(value)


def check(report):
    """The number of sentences; all are translated, before and after they are stored."""
    texts = list(said(report))
    assert sorted({fault for text in texts for fault in faults(text)}) == []
    stored = list(said(revived(json.loads(json.dumps(sentence_json(report))))))
    assert stored == texts
    with translation.override("ko"):
        assert [translated(text) for text in stored] == [translated(text) for text in texts]
    return len(texts)


@pytest.fixture
def campaign():
    made = make_campaign(items=6, k=3)
    for name in ("bob", "ben", "beth"):
        annotator = make_annotator(made, name)
        while (sheet := claim_next(annotator=annotator)) is not None:
            rate_sheet(annotator, sheet, 1 + (len(name) * (sheet.item.position + 1)) % 5)
    return made


@pytest.mark.slow
def test_every_sentence_of_a_real_report_is_translated(campaign):
    n = {kind: check(make(campaign=campaign, choice=Choice())) for kind, make in KINDS.items()}
    assert n["agreement"] > 50 and n["annotators"] > 10 and n["results"] > 5
    assert check(KINDS["gold"](campaign=campaign, choice=Choice(method="mace"))) > 5


@pytest.mark.slow
def test_a_stored_report_is_said_in_korean(campaign):
    english = "one-way random effects, ANOVA, mean of k = 3 ratings"

    def numbers():
        return Report.objects.get().result["scales"]["MEANING"]

    report_get(campaign=campaign, kind="agreement", actor=None)
    assert numbers()["icc_1_k"]["method"] == english
    assert "method_parts" not in numbers()["icc_1_k"]
    with translation.override("ko"):
        korean = translated(numbers()["icc_1_k"]["method"])
        others = [text for text in set(said(numbers())) if translated(text) != text]
    assert "일원" in korean and "k = 3" in korean and "random" not in korean
    page = client_of("dora").get("/c/camp/agreement/", headers={"Accept-Language": "ko"})
    shown = text_of(page)
    assert korean in shown
    assert others and not [text for text in others if text in shown]
    # A report from before is said as far as its text is a template.
    Report.objects.update(result=json.loads(json.dumps(Report.objects.get().result)))
    with translation.override("ko"):
        assert "쌍" in translated(numbers()["percent_agreement"]["method"])
        assert translated(numbers()["icc_1_k"]["method"]) == english


def test_every_sentence_about_metrics_against_people_is_translated():
    options = MetaOptions(Bootstrap(20), permutations=50)
    warnings = set()
    for given in (everything(), replace(everything(), clusters=None)):
        report = meta_evaluation(given, options).to_json()
        assert check(report) > 50
        for block in report["human"].values():
            warnings |= {text for row in block["comparisons"] for text in row["warnings"].values()}
        powered = powers(given.human["GRAMMAR"], given.metrics, given.clusters)
        assert check([one.to_json() for one in powered])
    assert warnings
    assert not [fault for text in (LEGEND, METHOD, ZOU) for fault in faults(text)]


def test_every_reason_in_the_sources_is_made_by_say():
    """Reasons that no report above comes to."""
    for path in sorted(Path(settings.BASE_DIR, "scoring/stats").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        made = {
            part
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "say"
            for part in ast.walk(node)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and str(node.value).startswith("undefined: "):
                assert node in made, f"{path.name}:{node.lineno}"
