"""The seven commands, from a campaign to a final board."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.services.campaigns.campaigns import campaign_open
from scoring.shared_tasks.models import SharedTask, Submission
from tests.scoring.shared_tasks.made import choices_file, make_judged_campaign

pytestmark = pytest.mark.django_db


def run(*words: str) -> str:
    out = io.StringIO()
    call_command(*words, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_a_task_runs_from_its_making_to_the_final_board(tmp_path: Path) -> None:
    make_judged_campaign()
    run("create_task", "game", "--campaign", "judged", "--track", "metrics", "--track",
        "realization", "--track", "segment", "--public", ".3", "--seed", "4")  # fmt: skip
    assert "left out: 0 texts" in run("freeze_task", "game")
    for team in ("kite", "Onyx"):
        assert "/tasks/join/" in run("add_team", "game", team)
    run("export_task", "game", "-o", str(tmp_path / "out"))
    texts = rows(tmp_path / "out" / "texts.tsv")
    originals = {row["original"] for row in rows(tmp_path / "out" / "originals.tsv")}
    assert {row["original"] for row in texts} == originals and len(texts) == 32
    for track in ("metrics", "realization"):
        pairs = rows(tmp_path / "out" / track / "pairs.tsv")
        assert len(pairs) == 8 * 6 and set(pairs[0]) == {"pair", "a", "b"}
    assert (tmp_path / "out" / "metrics" / "references.tsv").exists()
    assert not (tmp_path / "out" / "realization" / "references.tsv").exists()
    task = SharedTask.objects.get(slug="game")
    for name, turn in (("oracle", 1), ("reverse", -1), ("ties", 0)):
        (tmp_path / f"{name}.tsv").write_bytes(choices_file(task, turn))
        run("submit", "game", "kite", str(tmp_path / f"{name}.tsv"), "--track", "metrics",
            "--name", name)  # fmt: skip
    starter = tmp_path / "out" / "starter.py"
    subprocess.run([sys.executable, starter, starter.parent, tmp_path / "chrf.tsv"], check=True)
    for track in ("metrics", "segment"):
        run("submit", "game", "onyx", str(tmp_path / "chrf.tsv"), "--track", track)
    check_board(json.loads(run("leaderboard", "game", "--json")), "public")
    run("close_task", "game")
    found = json.loads(run("leaderboard", "game", "--json"))
    check_board(found, "final")
    assert found["tracks"]["segment"]["rows"][0].keys() >= {"value"}
    assert "oracle" in run("leaderboard", "game")


def check_board(found: dict, part: str) -> None:
    assert found["part"] == part
    by_name = {row["submission"]: row for row in found["tracks"]["metrics"]["rows"]}
    assert (by_name["oracle"]["strict"], by_name["oracle"]["half"]) == (1, 1)
    assert (by_name["reverse"]["strict"], by_name["reverse"]["half"]) == (0, 0)
    assert (by_name["ties"]["strict"], by_name["ties"]["half"]) == (0, 0.5)
    assert by_name["oracle"]["rank_low"] == 1
    assert by_name["reverse"]["rank_high"] == len(by_name)
    assert by_name["chrf"]["half"] == pytest.approx(by_name["Onyx-1"]["half"], abs=0.05)
    assert {"bleu", "nist", "meteor", "ter", "chrf"} <= set(by_name)
    assert set(by_name["oracle"]) >= {
        "team", "submission", "strict", "half", "ci_low", "ci_high", "rank_low", "rank_high",
        "group",
    }  # fmt: skip
    assert "p_value" not in json.dumps(found) and "_p" not in json.dumps(found)
    # Nothing that the product knows may be used where the original is hidden.
    assert found["tracks"]["realization"]["rows"] == []


def test_an_open_campaign_cannot_be_frozen_and_nothing_is_frozen_twice() -> None:
    campaign = make_judged_campaign()
    run("create_task", "game", "--campaign", "judged", "--track", "metrics")
    campaign_open(campaign=campaign, actor=None)
    with pytest.raises(CommandError, match="campaign is open") as refused:
        run("freeze_task", "game")
    assert refused.value.returncode == 2
    campaign.status = "closed"
    campaign.save()
    run("freeze_task", "game")
    with pytest.raises(CommandError, match="frozen already"):
        run("freeze_task", "game")


def test_a_bad_file_ends_with_2_and_nothing_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_judged_campaign()
    run("create_task", "game", "--campaign", "judged", "--track", "metrics")
    run("freeze_task", "game")
    run("add_team", "game", "kite")
    before = Submission.objects.count()
    bad = tmp_path / "bad.csv"
    bad.write_text("pair,choice\np1,a\n")
    err = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("submit", "game", "kite", str(bad), "--track", "metrics", stderr=err)
    assert ended.value.code == 2
    lines = err.getvalue().splitlines()
    assert "48 of 48 pairs have no choice" in lines[0]
    assert lines[1].startswith(f"{bad}:2: column 'pair': 'p1'")
    assert Submission.objects.count() == before


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("create_task", "x", "--campaign", "none", "--track", "metrics"), "no campaign"),
        (("create_task", "a b", "--campaign", "judged", "--track", "metrics"), "'a b'"),
        (("create_task", "x", "--campaign", "judged", "--track", "a", "--track", "a"), "twice"),
        (("create_task", "x", "--campaign", "judged", "--track", "m", "--scale", "Q"), "ordered"),
        (("create_task", "x", "--campaign", "judged", "--track", "m", "--public", "1"), "share"),
        (("create_task", "x", "--campaign", "judged", "--track", "segment:bleu"), "no measure"),
        (("create_task", "x", "--campaign", "judged", "--track", "systems", "--track", "m"),
         "only the track"),
        (("freeze_task", "none"), "no task"),
        (("export_task", "draft", "-o", "out"), "not frozen"),
        (("submit", "draft", "nobody", "f", "--track", "metrics"), "no team"),
        (("submit", "draft", "nobody", "f", "--track", "none"), "no track"),
        (("close_task", "draft"), "not open"),
        (("leaderboard", "none"), "no task"),
    ],
)  # fmt: skip
def test_wrong_words_end_with_2(words: tuple[str, ...], wanted: str) -> None:
    make_judged_campaign()
    run("create_task", "draft", "--campaign", "judged", "--track", "metrics")
    with pytest.raises(CommandError, match=wanted) as refused:
        run(*words)
    assert refused.value.returncode == 2
