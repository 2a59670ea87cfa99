"""Scores of a metric of somebody's own: as a service, on its page, by command and API."""

import json

import pytest
from django.urls import reverse

from annotation.errors import Conflict
from annotation.models import AuditEntry
from annotation.verify import verify
from scoring.models import Run, Score
from scoring.runs import score_import
from scoring.runs.queries import newest_done_runs, run_columns
from scoring.runs.score_import import NO_SCORE
from scoring.runs.start import run_cancel, run_retry, run_update
from tests.clients import client_of, text_of
from tests.factories import make_user
from tests.scoring.services.runs.score_files import FILE, load, systems_of, values_of


def test_a_file_becomes_a_done_run_that_is_not_made_again(camp):
    dry = load(camp, dry_run=True)
    assert dry.ok and dry.counts["scores"] == 2 and not Run.objects.exists()
    report = load(camp)
    [run] = report.runs
    assert report.ok and report.written and report.counts == {"scores": 2, "system_scores": 0}
    assert (run.metric, run.label, run.status, run.error) == ("external", "mine", "done", "")
    assert (run.total, run.done, run.failed) == (3, 3, 0)
    assert run.signature.startswith("external|better:higher|name:mine|file@")
    assert values_of(run) == {"thus": 0.5, "true": NO_SCORE, "at once": 1}
    assert systems_of(run) == {("A", "mean"): (0.75, 2), ("B", "mean"): (1, 1)}
    assert list(verify(campaign=camp)) == []
    entry = AuditEntry.objects.get(verb="import scores")
    assert entry.actor == make_user("dora") and entry.data["name"] == "mine"
    for act in (run_cancel, run_retry, run_update):
        with pytest.raises(Conflict, match="import a file under the same name"):
            act(run=run, actor=None)


def test_texts_that_the_file_leaves_out_are_undefined(camp):
    [run] = load(camp, "item,paraphrase,score\n1,thus,0.5\n").runs
    assert values_of(run) == {"thus": 0.5, "true": NO_SCORE, "at once": NO_SCORE}
    assert systems_of(run)["B", "mean"] == (None, 0)


def test_the_same_file_again_changes_nothing_and_a_newer_one_takes_its_place(
    camp,
):
    [first] = load(camp).runs
    again = load(camp)
    assert again.runs == (first,) and not again.written and again.ok
    assert Run.objects.count() == 1
    [second] = load(camp, FILE.replace("0.5", "0.6")).runs
    assert newest_done_runs(campaign=camp) == [second]
    [third] = load(camp).runs  # the first file once more: it counts again
    assert third not in (first, second) and newest_done_runs(campaign=camp) == [third]
    [other] = load(camp, label="other").runs
    assert newest_done_runs(campaign=camp) == [third, other]
    [turned] = load(camp, higher_is_better=False).runs
    assert not turned.higher_is_better and turned != third


TEXTS = "item,paraphrase,score"


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (f"{TEXTS}|1,thus,1|1,thus,2", "3: column 'score': 2 here and 1 in line 2"),
        (f"{TEXTS}|1,thus,1|1,thus,", "3: column 'score': nothing here and 1 in"),
        (f"phrase,sentence,{TEXTS}|,,1,thus,1|so,It is so.,,thus,2", "3: column"),
        (f"{TEXTS}|1,else,1", "2: the item has no paraphrase 'else': import it"),
        (f"{TEXTS}|9,thus,1", "2: there is no item '9' in the campaign: import"),
        ("system,score|C,1", "2: the campaign has no system 'C', it has 'A', 'B'"),
        ("system,score|A,1|A,2", "3: column 'score': 2 here and 1 in line 2"),
        (f"{TEXTS}|1,thus,", "1: column 'score': holds no score"),
        (TEXTS, "1: column 'score': holds no score"),
        (f"{TEXTS}|1,thus,much", "2: column 'score': 'much' is not a number"),
    ],
)
def test_a_problem_names_the_line_and_nothing_is_stored(camp, lines, problem):
    report = load(camp, lines.replace("|", "\n"))
    assert not report.ok and not report.runs
    assert str(report.problems[0]).startswith(f"mine.csv:{problem}")
    assert not Run.objects.exists() and not Score.objects.exists()


def test_an_import_that_breaks_off_counts_nowhere_and_the_next_sweeps_it_away(camp, monkeypatch):
    def breaks(*args):
        raise RuntimeError("the machine stops")

    with monkeypatch.context() as patch:
        patch.setattr(score_import, "_system_scores", breaks)
        with pytest.raises(RuntimeError):
            load(camp)
    left = Run.objects.get()
    assert left.status == "failed" and "import the file again" in left.error
    assert newest_done_runs(campaign=camp) == []
    [run] = load(camp).runs
    assert list(Run.objects.all()) == [run] and run.scores.count() == 3


def test_scores_of_systems_alone_leave_the_other_pages_whole(camp):
    [run] = load(camp, "system,score\nA,0.5\nB,0.25\n").runs
    assert systems_of(run)["B", "corpus"] == (0.25, 2)
    vera = client_of("vera")
    assert "mine" in text_of(vera.get(reverse("correlation", args=["camp"])))
    page = text_of(vera.get(reverse("run", args=["camp", run.key])))
    assert "0.250" in page and NO_SCORE in page and "Imported scores" in page


def test_texts_are_found_by_their_place(hand):
    outputs = hand.substitutions.filter(role="output").select_related("item__phrase")
    scores = [0.125 * number for number in range(3)]
    lines = [
        {
            "phrase": one.item.phrase.text,
            "sentence": one.item.sentence,
            "start": one.item.start,
            "end": one.item.end,
            "paraphrase": one.text,
            "score": score,
        }
        for one, score in zip(outputs, scores, strict=True)
    ]
    [run] = load(hand, "\n".join(map(json.dumps, lines)), name="mine.jsonl").runs
    columns = run_columns(runs=[run], substitutions=[one.pk for one in outputs])
    assert columns[run.pk].tolist() == scores
