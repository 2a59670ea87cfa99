"""Scores of a metric of somebody's own: as a service, on its page, by command and API."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import AuditEntry, Campaign, Substitution
from annotation.selectors.verify import verify
from annotation.services.errors import Conflict, Invalid
from scoring.models import Run, Score
from scoring.selectors.runs import newest_done_runs, run_columns
from scoring.services import scores_import as service
from scoring.services.runs import run_cancel, run_retry
from scoring.services.runs_update import run_update
from scoring.services.scores_import import NO_SCORE, ScoresReport, scores_import
from tests.bridge.hand import hand_campaign
from tests.factories import add_items, make_campaign, make_user
from tests.pages.clients import client_of, text_of

pytestmark = pytest.mark.django_db

ROWS = [
    {"item": "1", "phrase": "so", "sentence": "It is so.", "paraphrase": "thus", "system": "A"},
    {"item": "1", "phrase": "so", "sentence": "It is so.", "paraphrase": "true", "system": "B"},
    {"item": "2", "phrase": "now", "sentence": "Go now.", "paraphrase": "at once", "system": "A"},
    {"item": "2", "phrase": "now", "sentence": "Go now.", "paraphrase": "at once", "system": "B"},
]  # fmt: skip
FILE = "item,paraphrase,score\n1,thus,0.5\n1,true,\n2,at once,1\n"


@pytest.fixture
def camp() -> Campaign:
    return make_campaign("camp", rows=ROWS)


def load(campaign: Campaign, text: str = FILE, name: str = "mine.csv", **more: Any) -> ScoresReport:
    return scores_import(
        campaign=campaign, stream=io.BytesIO(text.encode()), name=name,
        actor=make_user("dora"), **more,
    )  # fmt: skip


def values_of(run: Run) -> dict[str, float | str]:
    return {
        score.substitution.text: score.reason if score.value is None else score.value
        for score in run.scores.select_related("substitution")
    }


def systems_of(run: Run) -> dict[tuple[str, str], tuple[float | None, int]]:
    return {
        (one.system.label, one.kind): (one.value, one.n)
        for one in run.system_scores.select_related("system")
    }


def test_a_file_becomes_a_done_run(camp: Campaign) -> None:
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


def test_texts_that_the_file_leaves_out_are_undefined(camp: Campaign) -> None:
    [run] = load(camp, "item,paraphrase,score\n1,thus,0.5\n").runs
    assert values_of(run) == {"thus": 0.5, "true": NO_SCORE, "at once": NO_SCORE}
    assert systems_of(run)["B", "mean"] == (None, 0)


def test_the_same_file_again_changes_nothing_and_a_newer_one_takes_its_place(
    camp: Campaign,
) -> None:
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


def test_several_columns_and_whole_systems(camp: Campaign) -> None:
    text = (
        "item,paraphrase,system,score.ter,score.mine\n"
        "1,thus,A,0.5,\n2,at once,A,1,7\n2,at once,B,1,7\n,,B,0.25,\n"
    )
    report = load(camp, text, lower=["ter"])
    ter, mine = report.runs
    assert [run.label for run in report.runs] == ["ter", "mine"]
    assert (ter.higher_is_better, mine.higher_is_better) == (False, True)
    assert values_of(mine) == {"thus": NO_SCORE, "true": NO_SCORE, "at once": 7}
    assert systems_of(ter) == {
        ("A", "mean"): (0.75, 2),
        ("B", "mean"): (1, 1),
        ("B", "corpus"): (0.25, 2),
    }
    assert report.counts == {"scores": 3, "system_scores": 1}
    assert list(verify(campaign=camp)) == []


@pytest.mark.parametrize(
    ("columns", "lines", "problem"),
    [
        ("item,paraphrase,score", "1,thus,1|1,thus,2", "3: column 'score': 2 here and 1 in line 2"),
        ("item,paraphrase,score", "1,thus,1|1,thus,", "3: column 'score': nothing here and 1 in"),
        ("phrase,sentence,item,paraphrase,score", ",,1,thus,1|so,It is so.,,thus,2", "3: column"),
        ("item,paraphrase,score", "1,else,1", "2: the item has no paraphrase 'else': import it"),
        ("item,paraphrase,score", "9,thus,1", "2: there is no item '9' in the campaign: import"),
        ("system,score", "C,1", "2: the campaign has no system 'C', it has 'A', 'B'"),
        ("system,score", "A,1|A,2", "3: column 'score': 2 here and 1 in line 2"),
        ("item,paraphrase,score", "1,thus,", "1: column 'score': holds no score"),
        ("item,paraphrase,score", "", "1: column 'score': holds no score"),
        ("item,paraphrase,score", "1,thus,much", "2: column 'score': 'much' is not a number"),
    ],
)
def test_a_problem_names_the_line_and_nothing_is_stored(
    camp: Campaign, columns: str, lines: str, problem: str
) -> None:
    report = load(camp, "\n".join([columns, *lines.split("|")]) + "\n")
    assert not report.ok and not report.runs
    assert str(report.problems[0]).startswith(f"mine.csv:{problem}")
    assert not Run.objects.exists() and not Score.objects.exists()


def test_a_system_that_gave_no_text_has_no_score(camp: Campaign) -> None:
    add_items(camp, [{"item": "1", "phrase": "so", "sentence": "It is so.", "system": "C"}])
    [problem] = load(camp, "system,score\nC,1\n").problems
    assert "the system 'C' has no text in the campaign" in str(problem)


def test_names_must_be_clear(camp: Campaign) -> None:
    with pytest.raises(Invalid, match=r"no scores called blue; it has mine"):
        load(camp, lower=["blue"])
    with pytest.raises(Invalid, match="Two columns would be called mine"):
        load(camp, "item,paraphrase,score,score.mine\n1,thus,1,2\n")
    assert not Run.objects.exists()


def test_an_import_that_breaks_off_counts_nowhere_and_the_next_sweeps_it_away(
    camp: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*args: Any) -> Any:
        raise RuntimeError("the machine stops")

    with monkeypatch.context() as patch:
        patch.setattr(service, "_system_scores", breaks)
        with pytest.raises(RuntimeError):
            load(camp)
    [left] = Run.objects.all()
    assert left.status == "failed" and "import the file again" in left.error
    assert newest_done_runs(campaign=camp) == []
    [run] = load(camp).runs
    assert list(Run.objects.all()) == [run] and run.scores.count() == 3


def test_scores_of_systems_alone_leave_the_other_pages_whole(camp: Campaign) -> None:
    [run] = load(camp, "system,score\nA,0.5\nB,0.25\n").runs
    assert systems_of(run)["B", "corpus"] == (0.25, 2)
    vera = client_of("vera")
    assert "mine" in text_of(vera.get(reverse("correlation", args=["camp"])))
    page = text_of(vera.get(reverse("run", args=["camp", run.key])))
    assert "0.250" in page and NO_SCORE in page and "Imported scores" in page


def test_a_dry_run_stores_nothing(camp: Campaign) -> None:
    report = load(camp, dry_run=True)
    assert report.ok and report.counts["scores"] == 2 and report.runs == ()
    assert not Run.objects.exists()


def test_imported_scores_are_not_cancelled_or_made_again(camp: Campaign) -> None:
    [run] = load(camp).runs
    for act in (run_cancel, run_retry, run_update):
        with pytest.raises(Conflict, match="import a file under the same name"):
            act(run=run, actor=None)


def test_they_stand_beside_runs_in_correlation_items_and_the_zip_for_a_paper() -> None:
    campaign = hand_campaign()
    outputs = Substitution.objects.filter(campaign=campaign, role="output").select_related("item")
    lines = [
        {
            "phrase": one.item.phrase.text, "sentence": one.item.sentence, "start": one.item.start,
            "end": one.item.end, "paraphrase": one.text, "score": number / 8,
        }
        for number, one in enumerate(outputs)
    ]  # fmt: skip
    text = "".join(json.dumps(line) + "\n" for line in lines)
    [run] = load(campaign, text, name="mine.jsonl").runs
    ids = [one.pk for one in outputs]
    assert run_columns(runs=[run], substitutions=ids)[run.pk].tolist() == [
        line["score"] for line in lines
    ]
    vera = client_of("vera")
    page = text_of(vera.get(reverse("correlation", args=[campaign.slug])))
    assert "mine" in page and run.signature in page
    item = vera.get(reverse("item", args=[campaign.slug, outputs[0].item.key]))
    assert "mine" in text_of(item)
    scores = vera.get(f"/api/v1/campaigns/{campaign.slug}/runs/{run.key}/scores").json()
    assert [one["value"] for one in scores["results"]] == [line["score"] for line in lines]


def upload(text: str = FILE, name: str = "mine.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def test_the_page(camp: Campaign) -> None:
    dora = client_of("dora")
    address = reverse("scores-import", args=["camp"])
    assert dora.get(address).status_code == 200
    wrong = dora.post(address, {"file": upload(FILE.replace("0.5", "much")), "label": "blem"})
    assert wrong.status_code == 422 and "is not a number" in text_of(wrong)
    assert 'value="blem"' in wrong.content.decode()
    wrong = dora.post(address, {"file": upload(), "lower": "x, y"})
    assert wrong.status_code == 422 and "no scores called x, y" in text_of(wrong)
    wrong = dora.post(address, {})
    assert wrong.status_code == 422 and not Run.objects.exists()
    done = dora.post(address, {"file": upload(), "lower_is_better": "on"}, follow=True)
    run = Run.objects.get()
    assert not run.higher_is_better
    assert done.redirect_chain[-1][0] == reverse("run", args=["camp", run.key])
    assert "Imported: mine." in text_of(done)
    again = dora.post(address, {"file": upload(), "lower_is_better": "on"}, follow=True)
    assert "there already: mine" in text_of(again) and Run.objects.count() == 1
    assert "import scores" in text_of(dora.get(reverse("audit", args=["camp"])))


@pytest.mark.parametrize(("name", "code"), [("vera", 403), ("bob", 403), ("charlie", 404)])
def test_who_may_not(camp: Campaign, name: str, code: int) -> None:
    for address in (
        reverse("scores-import", args=["camp"]),
        "/api/v1/campaigns/camp/imports/scores",
    ):
        assert client_of(name).post(address, {"file": upload()}).status_code == code
    assert not Run.objects.exists()


def test_the_api(camp: Campaign) -> None:
    dora = client_of("dora")
    address = "/api/v1/campaigns/camp/imports/scores"
    wrong = dora.post(address, {"file": upload("item,paraphrase,score\n9,x,1\n")})
    assert wrong.status_code == 422
    [problem] = wrong.json()["problems"]
    assert (problem["line"], problem["severity"], wrong.json()["runs"]) == (2, "error", [])
    dry = dora.post(address, {"file": upload(), "dry_run": "true"})
    assert dry.status_code == 200 and not Run.objects.exists()
    wide = "item,paraphrase,score.a,score.b\n1,thus,1,2\n"
    made = dora.post(address, {"file": upload(wide), "lower": ["b"]})
    assert made.status_code == 201
    assert [(run["label"], run["higher_is_better"]) for run in made.json()["runs"]] == [
        ("a", True),
        ("b", False),
    ]
    assert dora.post(address, {"file": upload(wide), "lower": ["b"]}).status_code == 200


def test_the_command(camp: Campaign, tmp_path: Any, capsys: Any) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(FILE)
    call_command("import_scores", "camp", str(path), "--name", "m", "--lower-is-better")
    run = Run.objects.get()
    assert (run.label, run.higher_is_better, run.created_by) == ("m", False, None)
    assert "3 rows read; added: 2 scores, 0 system scores." in capsys.readouterr().out
    path.write_text(FILE.replace("thus", "hence"))
    with pytest.raises(SystemExit) as stop:
        call_command("import_scores", "camp", str(path))
    assert stop.value.code == 2
    assert f"{path}:2: the item has no paraphrase" in capsys.readouterr().err
    with pytest.raises(CommandError) as refused:
        call_command("import_scores", "camp", str(tmp_path / "none.csv"))
    assert refused.value.returncode == 2
