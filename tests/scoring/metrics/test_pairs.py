"""Reading a file of pairs: columns id, original, paraphrase, reference, reference_2, ..."""

import csv
import json
import unicodedata
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraanno.common.cells import escape
from scoring.metrics import Pair, Score, Signature, create
from scoring.metrics.registry import from_spec
from scoring.metrics.scored import read_pairs, scored, with_groups
from scoring.metrics.values import mean_score, reference_counts


def test_a_group_holds_each_distinct_paraphrase_once():
    pairs = with_groups([Pair("x", "b"), Pair("y", "b"), Pair("x", "a"), Pair("x", "b")])
    assert [pair.group for pair in pairs] == [("a", "b"), ("b",), ("a", "b"), ("a", "b")]


def test_tab_separated_and_byte_order_mark(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_bytes("\ufeffid\toriginal\tparaphrase\r\na\tx, y\tz\r\n".encode())
    file = read_pairs(path)
    assert file.problems == ()
    assert (file.pairs[0].original, file.pairs[0].paraphrase) == ("x, y", "z")


@given(st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"])))
def test_any_text_comes_back_from_a_guarded_cell(tmp_path_factory, text):
    text = unicodedata.normalize("NFC", text)
    path = tmp_path_factory.mktemp("pairs") / "pairs.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "original", "paraphrase"])
        writer.writerow(["1", "x", escape(text)])
    file = read_pairs(path)
    assert file.problems == ()
    assert file.pairs[0].paraphrase == text


def test_json_lines_and_tables_mean_the_same(tmp_path):
    head = ("id", "original", "paraphrase", "reference")
    rows = [(1, "=a b", "a\tc", "a b c"), ("x", "\u1112\u1161", None, " ")]
    more = {"n": [1], "reference_2": None}
    lines = [json.dumps(dict(zip(head, row, strict=True)) | more) for row in rows]
    (tmp_path / "pairs.jsonl").write_text("\n".join(lines) + "\n")
    for name, delimiter in (("pairs.csv", ","), ("pairs.tsv", "\t")):
        with (tmp_path / name).open("w", newline="") as stream:
            writer = csv.writer(stream, delimiter=delimiter)
            writer.writerow(head)
            writer.writerows([[escape(str(cell or "")) for cell in row] for row in rows])
    files = [read_pairs(path) for path in sorted(tmp_path.iterdir())]
    assert files[0] == files[1] == files[2]
    assert files[0].problems == () and files[0].ids == ("1", "x")
    assert [pair.references for pair in files[0].pairs] == [("a b c",), ()]
    assert [pair.original for pair in files[0].pairs] == ["=a b", "\ud558"]
    assert files[0].pairs[1].paraphrase == ""


# What goes into a metric and what comes out: pairs, options, scores, signatures.


@pytest.mark.parametrize("result", [Score(0.5), Pair("a", "b"), create("pinc").signature()])
def test_results_cannot_be_changed(result):
    for name in result.__slots__:
        with pytest.raises(FrozenInstanceError):
            setattr(result, name, 1)


def test_options_have_one_form_in_the_signature():
    texts = {
        str(create("bleu", {"lowercase": value}).signature())
        for value in (True, "true", "1", "yes")
    }
    assert len(texts) == 1
    assert "lowercase:yes" in texts.pop()


def test_a_signature_changes_with_everything_that_changes_a_number():
    parts = ["m", (("a", "1"),), (("file", "ff"),), "ss", (("lib", "1"),)]
    changes = ["n", (("a", "2"),), (("file", "fe"),), "st", (("lib", "2"),)]
    texts = {str(Signature(*parts)), str(Signature("m", (("a", "1|lib=1"),), *parts[2:4]))}
    texts |= {str(Signature(*parts[:at], one, *parts[at + 1 :])) for at, one in enumerate(changes)}
    assert len(texts) == 7


def test_the_order_of_options_does_not_matter():
    one = Signature("m", (("a", "1"), ("b", "2")))
    assert str(one) == str(Signature("m", (("b", "2"), ("a", "1")))) == "m|a:1|b:2"


def test_a_score_has_a_value_or_a_reason():
    for value, reason in [(None, ""), (1.0, "why"), (float("nan"), ""), (float("inf"), "")]:
        with pytest.raises(ValueError, match="A score"):
            Score(value, reason)


def test_the_mean_leaves_undefined_scores_out_and_counts_the_rest():
    scores = [Score(1.0), Score.undefined("no"), Score(2.0)]
    assert mean_score(scores) == (Score(1.5), 2)
    assert mean_score([Score.undefined("no")])[0].value is None


# Many pairs at once score as each alone does.


WORDS = ["the", "old", "cat", "sat", "down", "on", "a", "mat"]
PAIRS = [
    Pair(f"the cat number {n % 7} sat", " ".join(WORDS[n % 5 : 3 + n % 11]), ("the cat sat",))
    for n in range(60)
]


@pytest.mark.parametrize("name", ["bleu", "pinc", "ter"])
def test_scores_stand_at_the_place_of_their_pair(name, monkeypatch):
    metric = from_spec(name)
    monkeypatch.setattr(type(metric), "chunk_size", 7)
    (found,) = scored({name: metric}, PAIRS, reference_counts(PAIRS))
    alone = [metric.score(pair).value for pair in PAIRS]
    assert [one.value for one in found.scores] == alone
    assert len(set(alone)) > 4
