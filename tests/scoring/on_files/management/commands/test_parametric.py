"""`manage.py parametric` without a database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from tests import HOME

EXAMPLE = [str(HOME / "examples" / "parametric" / name) for name in ("table.tsv", "aligned.tsv")]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    table, aligned = tmp_path / "table.tsv", tmp_path / "aligned.tsv"
    table.write_text("kids\tchildren\t.5\nkids\tboys\t.1\nsleep\tdoze\t.2\n")
    aligned.write_text("kids sleep\tchildren doze\t0-0 1?1\n")
    return table, aligned


def told(capsys: pytest.CaptureFixture[str], *more: object) -> dict[str, object]:
    call_command("parametric", *map(str, more), "--json")
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_numbers_by_hand(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, *files) == {
        # kids 1 of 2, sleep 1 of 1; of 6 phrases with one gold paraphrase each, two are found.
        "lower_bound_precision": 3 / 4,
        "relative_recall": pytest.approx(1 / 3),
        "phrases_with_paraphrases": 2,
        "phrases_with_gold": 6,
        "phrases": 6,
        "table_pairs": 3,
        "gold_pairs": 6,
        "shared_pairs": 2,
        "least": 0.0,
        "max_words": 5,
        "links": "all",
    }
    found = told(capsys, *files, "--least", "0.3", "--max-words", "1")
    assert (found["lower_bound_precision"], found["relative_recall"]) == (1, 1 / 4)
    found = told(capsys, *files, "--least", "1")
    assert (found["lower_bound_precision"], found["relative_recall"]) == (None, 0)
    # Without the possible link, "sleep" and "doze" may go with the others or not.
    found = told(capsys, *files, "--sure-only", "--max-words", "1")
    assert (found["links"], found["gold_pairs"]) == ("sure", 2)


def test_the_shipped_example(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, *EXAMPLE)
    call_command("parametric", *EXAMPLE)
    lines = capsys.readouterr().out.splitlines()
    # Of 8 phrases, kids and a picture have 1 right of 2, women 0 of 1, the others 1 of 1.
    assert (found["lower_bound_precision"], found["shared_pairs"]) == (6 / 8, 7)
    assert lines[0].startswith("lower-bound precision 0.7500 over 8 phrases")
    assert lines[1].startswith(f"relative recall       {found['relative_recall']:.4f} over ")
    assert lines[2].startswith("7 pairs are in both, of 10 of the table")


@pytest.mark.parametrize(
    ("table_text", "aligned_text", "more", "expected"),
    [
        ("kids\n", "a\tb\t0-0\n", [], "{table}:1: should read phrase TAB paraphrase"),
        ("a\tb\n", "a\tb\n", [], "{aligned}:1: should read sentence TAB sentence TAB links."),
        ("a\tb\n", "a\tb\t0-9\n", [], "{aligned}:1: The link 0-9 is beyond"),
        ("a\tb\n", "a\tb\t0-0\n", ["--least", ".5"], "{table}:0: has no probabilities"),
        ("a\tb\n", "a\tb\t0-0\n", ["--least", "2"], "--least: a probability is from 0 to 1."),
        ("a\tb\n", "a\tb\t0-0\n", ["--max-words", "0"], "--max-words: use 1 to 10."),
        ("", "a\tb\t0-0\n", [], "{table}:0: "),
    ],
)
def test_bad_input_exits_with_2(
    table_text: str, aligned_text: str, more: list[str], expected: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    table, aligned = tmp_path / "t.tsv", tmp_path / "a.tsv"
    table.write_text(table_text)
    aligned.write_text(aligned_text)
    with pytest.raises(SystemExit) as stop:
        call_command("parametric", str(table), str(aligned), *more)
    assert stop.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(expected.format(table=table, aligned=aligned))
