"""The seven commands, from a campaign to a final board."""

import csv
import io
import json
import subprocess
import sys

import pytest
from django.core.management import call_command

from scoring.shared_tasks.models import SharedTask
from tests.scoring.shared_tasks.made import choices_file, make_judged_campaign


def run(*words):
    out = io.StringIO()
    call_command(*words, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


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
