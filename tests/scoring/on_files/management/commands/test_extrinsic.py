"""`manage.py extrinsic` without a database."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from tests.scoring.extrinsic.reviews import reviews, write_table


@pytest.fixture
def table(tmp_path: Path) -> Path:
    texts, labels = reviews(120)
    turned = [" ".join(reversed(text.split())) for text in texts]
    return write_table(
        tmp_path / "train.csv",
        {"id": [f"r{n}" for n in range(120)], "text": texts, "=copy": texts, "turned": turned,
         "label": labels},
    )  # fmt: skip


def told(capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    call_command("extrinsic", *more, "--json")
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_accuracies_and_outcomes(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "folder"
    asked = [
        str(table), "--text", "text", "--text", "=copy", "turned", "--label", "label",
        "--split", "60,20,40", "--classifier", "nb", "--classifier", "svm,nb", "--seed", "5",
        "-o", str(folder),
    ]  # fmt: skip
    found = told(capsys, *asked)
    assert list(found["accuracy"]) == ["nb", "svm"]
    assert list(found["accuracy"]["nb"]) == ["text", "=copy", "turned"]
    assert list(found["accuracy"]["nb"]["text"]) == ["value", "ci_low", "ci_high", "n"]
    assert found["accuracy"]["nb"]["text"] == found["accuracy"]["nb"]["=copy"]
    assert found["accuracy"]["nb"]["text"]["n"] == 40
    assert found["split"] == {"training": 60, "validation": 20, "test": 40}
    assert (found["seed"], found["texts"]["used"]) == (5, 120)
    with (folder / "outcomes.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["id", "system", "classifier", "correct", "p_true", "change"]
    assert len(rows) == 2 * 3 * 40
    by_row = {(row["id"], row["system"], row["classifier"]): row for row in rows}
    for name, row in found["on_paraphrases"].items():
        for column, one in row.items():
            cell = "'=copy" if column == "=copy" else column
            mine = [r for r in rows if r["classifier"] == name and r["system"] == cell]
            assert sum(int(r["correct"]) for r in mine) / 40 == one["value"]
    for (key, _, name), row in by_row.items():
        original = float(by_row[key, "text", name]["p_true"])
        assert float(row["change"]) == float(row["p_true"]) - original
        assert (float(row["p_true"]) > 0.5) == (row["correct"] == "1")
    with (folder / "accuracy.csv").open(newline="") as stream:
        first = next(csv.DictReader(stream))
    assert float(first["value"]) == found["accuracy"]["nb"]["text"]["value"]
    before = (folder / "outcomes.csv").read_bytes()
    assert told(capsys, *asked) == found
    assert (folder / "outcomes.csv").read_bytes() == before


def test_correlate_gives_the_same_numbers_from_the_outcomes(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Metrics beside outcomes, to the last digit."""
    draw = np.random.default_rng(3)
    ids = [f"r{n}" for n in range(120)]
    scores = write_table(
        tmp_path / "scores.csv",
        {"id": ids[:110], "m": [repr(x) for x in draw.normal(size=110).tolist()],
         "other": ["1"] * 110},
    )  # fmt: skip
    found = told(
        capsys, str(table), "--text", "text", "turned", "--label", "label", "--classifier",
        "nb,logreg", "--scores", f"turned={scores}", "--metric", "m", "-o", str(tmp_path),
    )["intrinsic"]  # fmt: skip
    with (tmp_path / "outcomes.csv").open(newline="") as stream:
        outcomes = list(csv.DictReader(stream))
    with scores.open(newline="") as stream:
        of_id = {row["id"]: row["m"] for row in csv.DictReader(stream)}
    assert len(found["cells"]) == 2 * 3
    for cell in found["cells"]:
        asked = ("turned", cell["classifier"])
        mine = [row for row in outcomes if (row["system"], row["classifier"]) == asked]
        joined = write_table(
            tmp_path / "joined.csv",
            {"human": [row[cell["outcome"]] for row in mine],
             "m": [of_id.get(row["id"], "") for row in mine]},
        )  # fmt: skip
        call_command("correlate", str(joined), "--human", "human", "--metric", "m",
                     "--permutations", "1", "--json")  # fmt: skip
        theirs = json.loads(capsys.readouterr().out)["human"]["human"]["metrics"]["m"]
        for name in ("pearson", "spearman"):
            for part in ("value", "p_value", "n"):
                assert cell[name][part] == theirs[name][part]
    assert [row["system"] for row in found["systems"]] == ["turned"]


def test_doubled_texts_count_once_and_no_text_is_in_two_parts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts, labels = reviews(60)
    once = write_table(tmp_path / "once.csv", {"t": texts, "y": labels})
    twice = write_table(
        tmp_path / "twice.csv", {"t": [*texts, *texts[:30]], "y": [*labels, *labels[:30]]}
    )
    usual = ("--text", "t", "--label", "y", "--classifier", "nb", "--split", "30,10,20")
    one, other = (told(capsys, str(path), *usual) for path in (once, twice))
    assert one["accuracy"] == other["accuracy"]
    assert (one["texts"]["doubled"], other["texts"]["doubled"]) == (0, 30)
    with pytest.raises(SystemExit) as stop:
        call_command("extrinsic", str(twice), *usual[:-1], "40,10,20")
    assert stop.value.code == 2
    assert capsys.readouterr().err.startswith(f"{twice}:0: has 60 texts that can be used (left out")


def test_repeats_and_the_table_for_people(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [str(table), "--text", "text", "turned", "--label", "label", "--classifier", "nb",
             "--repeat", "3"]  # fmt: skip
    found = told(capsys, *asked)
    spread = found["repeats"]["nb"]["turned"]
    assert found["seeds"] == [1, 2, 3]
    assert spread["mean"] == pytest.approx(np.mean(spread["values"]))
    assert spread["sd"] == pytest.approx(np.std(spread["values"], ddof=1))
    assert spread["values"][0] == found["accuracy"]["nb"]["turned"]["value"]
    call_command("extrinsic", *asked)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Accuracy on the originals, trained on"
    assert lines[2].split() == [
        "nb", *(f"{found['accuracy']['nb'][name]['value']:.3f}" for name in ("text", "turned"))
    ]  # fmt: skip


def test_few_texts_of_a_class_are_a_warning(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("extrinsic", str(table), "--text", "text", "--label", "label", "--split",
                 "60,0,10", "--classifier", "nb")  # fmt: skip
    assert capsys.readouterr().err == (
        f"{table}:0: warning: classes of fewer than 10 texts: 'neg' in test (5), 'pos' in test "
        "(5).\n"
    )


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (["--classifier", "nb,tree"], "--classifier tree: there is none of this name"),
        (["--classifier", ","], "--classifier: name at least one."),
        (["--split", "1,2"], "--split 1,2: should be three numbers of texts"),
        (["--split", "60,20,0"], "--split 60,20,0: training and test need texts."),
        (["--split", "60,20,41"], "{table}:0: has 120 texts that can be used"),
        (["--split", "1,0,40"], "{table}:0: the training part has no text of the class 'pos'"),
        (["--text", "label"], "--label label: is a column of texts too."),
        (["--text", "nothing"], "{table}:1: there is no column nothing"),
        (["--seed", "-1"], "--seed: use 0 to"),
        (["--repeat", "0"], "--repeat: use 1 to 100."),
        (["--bootstrap", "-1"], "--bootstrap: use 0 or more."),
        (["--metric", "m"], "--scores and --metric: give both or neither."),
        (["--metric", "m", "--scores", "x=y"], "--scores x=y: write COLUMN=FILE"),
        (["--metric", "label", "--scores", "text={table}"], "{table}:2: column 'label': "),
        (["-o", "{table}"], "{table}:0: cannot be written"),
    ],
)
def test_bad_input_exits_with_2(
    more: list[str], expected: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        call_command(
            "extrinsic", str(table), "--text", "text", "--label", "label", "--split", "60,20,40",
            *(part.format(table=table) for part in more),
        )  # fmt: skip
    assert stop.value.code == 2
    line = capsys.readouterr().err.splitlines()[0]
    assert line.startswith(expected.format(table=table))
