"""`manage.py align` on files."""

import re

import pytest
from django.core.management import call_command

from tests import HOME
from tests.scoring.on_files.management.commands.parallel_files import parallel, written

__all__ = ["parallel"]


def test_every_pair_has_a_line_and_one_left_out_an_empty_one(parallel, tmp_path, capsys):
    out = tmp_path / "out.links"
    call_command("align", *parallel[:2], "-o", out)
    lines = out.read_text("utf-8").split("\n")
    assert [bool(line) for line in lines] == [True, True, True, False, True, False]
    assert all(re.fullmatch(r"(\d-\d( \d-\d)*)?", line) for line in lines)
    warned = capsys.readouterr().err
    assert "warning: 1 pairs are left out: 1 with an empty side" in warned
    assert "4 of 5 pairs aligned" in warned


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("{en}", "{short}"), "short:2: has 3 lines and {en} has 5;"),
        (("{en}", "{de}", "--iterations", "0"), "--iterations: at least 1"),
        (("{en}", "{de}", "-o", "{en}"), "names a file to be read"),
        (("{en}", "{de}", "-o", "{folder}/none/links"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_refused(parallel, tmp_path, refused, arguments, says):
    short = written(tmp_path, "short", ("x", "", "z"))
    places = {"en": parallel[0], "de": parallel[1], "short": short, "folder": tmp_path}
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    given = (one.format(**places) for one in arguments)
    assert says.format(**places) in refused("align", "-o", tmp_path / "out", *given)[-1]
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


# `manage.py parametric` without a database.


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


# `manage.py pivot` on files, and ParaEval with its tables.


TABLE = """\
a cat\tcat\t0.5
a cat\tkitty\t0.25
cat\ta cat\t0.25
cat\tkitty\t0.25
kitty\tcat\t0.5
kitty\ta cat\t0.25
"""
ROWS = TABLE.splitlines()


@pytest.fixture
def pivoted(tmp_path):
    """The lines of the table that the command writes."""

    def call(*arguments):
        call_command("pivot", *arguments, "-o", tmp_path / "table.tsv")
        return (tmp_path / "table.tsv").read_text("utf-8").splitlines()

    return call


def test_a_table_by_hand_and_its_store_score_alike(parallel, pivoted, tmp_path, capsys, reported):
    store, pairs = tmp_path / "store", tmp_path / "pairs.csv"
    assert pivoted(*parallel, "--table-store", store) == ROWS
    assert "6 paraphrases of 3 phrases." in capsys.readouterr().err
    pairs.write_text("id,original,paraphrase\n1,the kitty sat,a cat sat\n")
    table, stored = (
        f"paraeval:table={place},as={place.name}" for place in (tmp_path / "table.tsv", store)
    )
    result = reported("score", pairs, "--metric", table, "--metric", stored)["metrics"]
    assert result["store"] == result["table.tsv"]
    assert result["store"]["scores"]["1"] == pytest.approx(2 / 3)  # kitty and sat, of three.


def test_a_second_text_is_joined(parallel, pivoted, tmp_path):
    # Here "cat" is only "u", and so is "tom": the mean over both texts.
    second = [
        written(tmp_path, f"second.{n}", lines)
        for n, lines in enumerate((("cat", "tom"), ("u", "u"), ("0-0", "0-0")))
    ]
    lines = pivoted(*parallel, *second)
    assert [line for line in lines if line.startswith(("cat\t", "tom\t"))] == [
        "cat\ttom\t0.25",
        "cat\ta cat\t0.125",
        "cat\tkitty\t0.125",
        "tom\tcat\t0.25",
    ]


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (("--least", "0.3"), [ROWS[0], ROWS[4]]),
        (("--most", "1"), [ROWS[0], ROWS[2], ROWS[4]]),
        # "a cat" is no phrase.
        (("--max-words", "1"), ["cat\tkitty\t0.3333333333", "kitty\tcat\t0.6666666667"]),
        # Only cat was seen with "y" twice, so nothing shares "y".
        (("--min-count", "2"), []),
    ],
)
def test_options_cut_the_table(parallel, pivoted, options, wanted):
    assert pivoted(*parallel, *options) == wanted


def test_only_wanted_phrases_and_a_warning_for_the_others(parallel, pivoted, tmp_path, capsys):
    phrases = written(tmp_path, "phrases", ("kitty", "", "lion", "kitty"))
    assert pivoted(*parallel, "--phrases", phrases) == ROWS[4:]
    assert f"{phrases}:0: warning: 1 of 2 phrases have no paraphrase." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("{en}", "{de}"), "three files for each text"),
        (("{en}", "{de}", "{links}", "--least", "2"), "--least: a probability"),
        (("{en}", "{de}", "{links}", "--max-words", "0"), "--max-words: use 1 to 8"),
        (("{en}", "{de}", "{links}", "--min-count", "0"), "--min-count 1 or more"),
        (("{en}", "{de}", "{links}", "--mutual", "--phrases", "{en}"), "are not known"),
        (("{en}", "{de}", "{links}", "--parses", "{en}"), "give --store FOLDER"),
        (("{en}", "{de}", "{links}", "--parses", "{en}", "{en}"), "give one file for each EN"),
        (("{en}", "{de}", "{de}"), "de.txt:1: should list links such as 0-0 1-2"),
        (("{en}", "{de}", "{folder}/none"), "none:0: cannot be read"),
        (
            ("{en}", "{de}", "{links}", "--parses", "{en}", "--store", "{folder}/s"),
            "en.txt:1: has 1 cells instead of the 10",
        ),
        (("{en}", "{de}", "{links}", "-o", "{links}"), "names a file to be read"),
    ],
)
def test_what_cannot_be_extracted_is_refused(parallel, tmp_path, refused, arguments, says):
    places = dict(zip(("en", "de", "links"), parallel, strict=True)) | {"folder": tmp_path}
    before = sorted(tmp_path.iterdir())
    given = [one.format(**places) for one in arguments]
    lines = refused("pivot", *given[:3], "-o", tmp_path / "out", *given[3:])
    assert says in "\n".join(lines)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("option", ["--store", "--table-store"])
def test_a_folder_of_other_things_is_left_alone_and_nothing_has_no_store(
    parallel, tmp_path, refused, option
):
    more = ("-o", tmp_path / "out", option)
    assert "is there already and is no store" in refused("pivot", *parallel, *more, tmp_path)[-1]
    assert (tmp_path / "en.txt").exists()
    store, none = tmp_path / "s", written(tmp_path, "none", ("",) * 5)
    assert f"{store}:0: " in refused("pivot", *parallel[:2], none, *more, store)[-1]
    assert not store.exists()
