"""The seven commands, from a campaign to a final board."""

import csv
import io
import json
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from scoring.shared_tasks.models import SharedTask, Submission
from tests.scoring.shared_tasks.made import choices_file, make_judged_campaign


def run(*words):
    out = io.StringIO()
    call_command(*words, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def make_draft():
    make_judged_campaign()
    run("create_task", "draft", "--campaign", "judged", "--track", "metrics")


@pytest.mark.slow
def test_a_task_runs_from_its_making_to_the_final_board(tmp_path):
    make_judged_campaign()
    run(
        "create_task",
        "game",
        "--campaign",
        "judged",
        "--track",
        "metrics",
        "--track",
        "realization",
        "--track",
        "segment",
        "--public",
        ".3",
        "--seed",
        "4",
    )
    assert "left out: 0 texts" in run("freeze_task", "game")
    for team in ("oracle", "reverse", "ties", "Onyx"):
        assert "/tasks/join/" in run("add_team", "game", team)
    out = tmp_path / "out"
    run("export_task", "game", "-o", out)
    texts = rows(out / "texts.tsv")
    originals = {row["original"] for row in rows(out / "originals.tsv")}
    assert {row["original"] for row in texts} == originals and len(texts) == 32
    for track in ("metrics", "realization"):
        pairs = rows(out / track / "pairs.tsv")
        assert len(pairs) == 8 * 6 and set(pairs[0]) == {"pair", "a", "b"}
        assert (out / track / "references.tsv").exists() == (track == "metrics")
    task = SharedTask.objects.get(slug="game")
    for name, turn in (("oracle", 1), ("reverse", -1), ("ties", 0)):
        (tmp_path / name).write_bytes(choices_file(task, turn))
        run("submit", "game", name, tmp_path / name, "--track", "metrics", "--name", name)
    subprocess.run([sys.executable, out / "starter.py", out, tmp_path / "chrf.tsv"], check=True)
    for track in ("metrics", "segment"):
        run("submit", "game", "onyx", tmp_path / "chrf.tsv", "--track", track)
    check_board(json.loads(run("leaderboard", "game", "--json")), "public")
    run("close_task", "game")
    final = json.loads(run("leaderboard", "game", "--json"))
    check_board(final, "final")
    assert "value" in final["tracks"]["segment"]["rows"][0]
    assert "oracle" in run("leaderboard", "game")


def check_board(found, part):
    assert found["part"] == part
    by_name = {row["submission"]: row for row in found["tracks"]["metrics"]["rows"]}
    for name, strict, half in (("oracle", 1, 1), ("reverse", 0, 0), ("ties", 0, 0.5)):
        assert (by_name[name]["strict"], by_name[name]["half"]) == (strict, half)
    assert by_name["oracle"]["rank_low"] == 1
    assert by_name["reverse"]["rank_high"] == len(by_name)
    assert by_name["chrf"]["half"] == pytest.approx(by_name["Onyx-1"]["half"], abs=0.05)
    assert {"bleu", "nist", "meteor", "ter", "chrf"} <= set(by_name)
    assert set(by_name["oracle"]) >= {"team", "ci_low", "ci_high", "group"}
    assert "p_value" not in json.dumps(found) and "_p" not in json.dumps(found)
    # Nothing that the product knows may be used where the original is hidden.
    assert found["tracks"]["realization"]["rows"] == []


@pytest.mark.slow
def test_nothing_is_frozen_twice_and_of_a_bad_file_nothing_is_stored(tmp_path):
    make_draft()
    run("freeze_task", "draft")
    with pytest.raises(CommandError, match="frozen already"):
        run("freeze_task", "draft")
    run("add_team", "draft", "kite")
    before = Submission.objects.count()
    bad, err = tmp_path / "bad.csv", io.StringIO()
    bad.write_text("pair,choice\np1,a\n")
    with pytest.raises(SystemExit) as ended:
        call_command("submit", "draft", "kite", bad, "--track", "metrics", stderr=err)
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
        (
            ("create_task", "x", "--campaign", "judged", "--track", "systems", "--track", "m"),
            "only the track",
        ),
        (("freeze_task", "none"), "no task"),
        (("export_task", "draft", "-o", "out"), "not frozen"),
        (("submit", "draft", "nobody", "f", "--track", "metrics"), "no team"),
        (("submit", "draft", "nobody", "f", "--track", "none"), "no track"),
        (("close_task", "draft"), "not open"),
        (("leaderboard", "none"), "no task"),
    ],
)
def test_wrong_words_end_with_2(words, wanted):
    make_draft()
    with pytest.raises(CommandError, match=wanted) as refused:
        run(*words)
    assert refused.value.returncode == 2
