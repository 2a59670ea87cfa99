"""`manage.py parametric` without a database."""

import pytest
from django.core.management import call_command

from tests import HOME

EXAMPLE = [HOME / "examples" / "parametric" / name for name in ("table.tsv", "aligned.tsv")]


def files_in(folder, table, aligned):
    (folder / "table.tsv").write_text(table)
    (folder / "aligned.tsv").write_text(aligned)
    return folder / "table.tsv", folder / "aligned.tsv"


def test_numbers_by_hand(tmp_path, reported):
    files = files_in(
        tmp_path,
        "kids\tchildren\t.5\nkids\tboys\t.1\nsleep\tdoze\t.2\n",
        "kids sleep\tchildren doze\t0-0 1?1\n",
    )
    assert reported("parametric", *files) == {
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
    for more, numbers in (
        (("--least", "0.3", "--max-words", "1"), (1, 1 / 4)),
        (("--least", "1"), (None, 0)),
    ):
        report = reported("parametric", *files, *more)
        assert (report["lower_bound_precision"], report["relative_recall"]) == numbers
    # Without the possible link, "sleep" and "doze" may go with the others or not.
    report = reported("parametric", *files, "--sure-only", "--max-words", "1")
    assert (report["links"], report["gold_pairs"]) == ("sure", 2)


def test_the_shipped_example(reported, capsys):
    report = reported("parametric", *EXAMPLE)
    call_command("parametric", *EXAMPLE)
    precision, recall, pairs = capsys.readouterr().out.splitlines()
    # Of 8 phrases, kids and a picture have 1 right of 2, women 0 of 1, the others 1 of 1.
    assert (report["lower_bound_precision"], report["shared_pairs"]) == (6 / 8, 7)
    assert precision.startswith("lower-bound precision 0.7500 over 8 phrases")
    assert recall.startswith(f"relative recall       {report['relative_recall']:.4f} over ")
    assert pairs.startswith("7 pairs are in both, of 10 of the table")


@pytest.mark.parametrize(
    ("table", "aligned", "more", "expected"),
    [
        ("kids\n", "a\tb\t0-0\n", [], "table.tsv:1: should read phrase TAB paraphrase"),
        ("a\tb\n", "a\tb\n", [], "aligned.tsv:1: should read sentence TAB sentence TAB links."),
        ("a\tb\n", "a\tb\t0-9\n", [], "aligned.tsv:1: The link 0-9 is beyond"),
        ("a\tb\n", "a\tb\t0-0\n", ["--least", ".5"], "table.tsv:0: has no probabilities"),
        ("a\tb\n", "a\tb\t0-0\n", ["--least", "2"], "--least: a probability is from 0 to 1."),
        ("a\tb\n", "a\tb\t0-0\n", ["--max-words", "0"], "--max-words: use 1 to 10."),
        ("", "a\tb\t0-0\n", [], "table.tsv:0: "),
    ],
)
def test_bad_input_exits_with_2(table, aligned, more, expected, tmp_path, refused):
    [line] = refused("parametric", *files_in(tmp_path, table, aligned), *more)
    assert line.removeprefix(f"{tmp_path}/").startswith(expected)
