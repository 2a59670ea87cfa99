"""What metrics, runs and files for metrics say is said in Korean on a Korean page."""

import ast
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from paraanno.common.texts import Sentence, message_of
from paraanno.template_filters import translated
from scoring.metrics.registry import create, metric_class, names
from scoring.metrics.resources.neural_models import NO_LIBRARIES, NO_MODEL
from scoring.metrics.resources.synonyms import MISSING
from scoring.models import SystemScore
from scoring.runs.start import run_start
from tests.clients import client_of, text_of
from tests.factories import item_rows, make_campaign
from tests.scoring.factories import finish

HANGUL = re.compile("[가-힣]")
# Calls whose texts people read: each must be given a sentence.
READ = {"Score.undefined", "FileRefused", "FileRefused.at", "problems.add", "self.problems.add"}


def korean(text):
    with translation.override("ko"):
        return translated(text)


def is_ours(text):
    """A sentence that has a translation; without values English and Korean are the same text."""
    return isinstance(text, Sentence) and bool(HANGUL.search(korean(text)))


def bare():
    """Where a metric says a plain text to people."""
    for path in sorted(Path(settings.BASE_DIR, "scoring/metrics").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in READ:
                for one in node.args:
                    text = isinstance(one, ast.Constant) and isinstance(one.value, str)
                    if text or isinstance(one, ast.JoinedStr):
                        yield f"{path.name}:{node.lineno}"


def test_no_metric_says_a_plain_text():
    assert list(bare()) == []
    assert all(is_ours(text) for text in (NO_LIBRARIES, NO_MODEL, MISSING))


@pytest.mark.parametrize("name", names())
def test_summaries_are_korean(name):
    metric = metric_class(name)
    every = [metric.summary, *(option.summary for option in metric.OPTIONS)]
    assert [text for text in every if not is_ours(text)] == []


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("none", {}),
        ("pinc", {"max_n": "99"}),
        ("pinc", {"no": "such"}),
        ("bleu", {"smooth": "hard"}),
        ("ibleu", {"alpha": "7"}),
        ("wmd", {}),
        ("wmd", {"vectors": "/there/is/none"}),
        ("combine", {}),
        ("combine", {"of": "no metric"}),
        ("combine", {"of": "bleu+pinc", "weights": "1"}),
        ("combine", {"of": "bleu+pinc", "weights": "one"}),
        ("combine", {"of": "combine{of=bleu}+pinc"}),
        ("combine", {"of": "wmd{vectors=a}+pinc"}),
    ],
)
def test_refusals_are_korean(metric, options):
    with pytest.raises(ValueError, match=".") as refusal:
        create(metric, options)
    assert is_ours(message_of(refusal.value)) and message_of(refusal.value) == str(refusal.value)


# Stored with their parts

WHY = "The part jaccard has no score: The paraphrase has no words."


def wordless(slug="camp"):
    """A run over a campaign in which a system has a text without words, and no other."""
    row = {**item_rows(1, 1)[0], "paraphrase": "\u2026", "system": "mute"}
    campaign = make_campaign(slug, rows=[*item_rows(2), row], open_it=False)
    spec = "combine:of=jaccard+pinc"
    return finish(run_start(campaign=campaign, spec=spec, actor=None, scope="phrase"))


def page(address):
    return text_of(client_of("alice").get(address, headers={"Accept-Language": "ko"}))


def run_page(run):
    return page(f"/c/{run.campaign.slug}/runs/{run.key}/")


@pytest.mark.django_db
def test_a_reason_inside_another_is_stored_shown_and_reused():
    run = wordless()
    gone = run.scores.filter(value=None)
    score = gone.get()
    assert score.reason == WHY and is_ours(score.sentence)
    inner = ["The paraphrase has no words.", {}]
    parts = ["The part %(part)s has no score: %(why)s", {"part": "jaccard", "why": inner}]
    assert score.reason_parts == parts
    shown = run_page(run)
    assert korean(score.sentence) in shown and "no words" not in shown and "No text" not in shown
    again = wordless("again")
    assert again.reused == again.total
    assert again.scores.get(value=None).reason_parts == parts
    others = again.scores.exclude(value=None).values_list("reason_parts", flat=True)
    assert set(others) == {None}
    assert SystemScore.objects.get(run=run, value=None).reason.startswith("No text of this")
    # Rows of earlier versions are looked up as a whole.
    gone.update(reason_parts=None)
    assert WHY in run_page(run)
    gone.update(reason="The paraphrase has no words.")
    assert korean("The paraphrase has no words.") in run_page(run)
    gone.update(reason="something else", reason_parts=inner)
    assert gone.get().sentence == "something else"
