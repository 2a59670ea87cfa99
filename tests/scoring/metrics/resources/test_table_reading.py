"""Readers of paraphrase tables: tab-separated pairs, PPDB, and Moses phrase tables by pivoting."""

import json
import subprocess
import sys

import numpy as np
import pytest

from scoring.metrics.files import FileRefused
from scoring.metrics.resources.table import DIRECTED, convert, load_table, phrase_key


def pairs_of(table):
    """{phrase: {partner: probability}} by the arrays alone."""
    found = {}
    for phrase in range(len(table.phrases)):
        part = slice(table.offsets[phrase], table.offsets[phrase + 1])
        found[table.phrases[phrase]] = {
            table.phrases[partner]: pytest.approx(float(probability))
            for partner, probability in zip(
                table.partners[part], table.probabilities[part], strict=True
            )
        }
    return found


def both_ways(pairs):
    found = {}
    for (one, other), probability in pairs.items():
        found.setdefault(one, {})[other] = probability
        found.setdefault(other, {})[one] = probability
    return found


FILE = "table.txt"


@pytest.mark.parametrize(
    ("content", "expected", "weighted"),
    [
        (
            "big\tlarge\nin the end\tfinally\n",
            {("big", "large"): 1, ("in the end", "finally"): 1},
            False,
        ),
        ("\ufeffbig\tlarge\t.5\r\n\r\nlarge\tbig\t0.25", {("big", "large"): 0.5}, True),
        ("Big\tlarge ,\t1e-3\nbig\tBIG\n, \t .\n", {("big", "large"): 0.001}, True),
        # PPDB 2.0 and 1.0: negative logarithms; a rule with a gap is left out.
        (
            "[NP] ||| a car ||| an auto ||| PPDB2.0Score=4.1 -logp(e2|e1)=0.693147 X=NA ||| 0-0\n"
            "[NP] ||| a car ||| 2 ||| p(e|f)=0 ||| 0-0 ||| Equivalence\n"
            "[NP] ||| [NN,1] of ||| 's [NN,1] ||| p(e|f)=0 ||| 0-0\n"
            "[NP] ||| it 's ||| that is ||| -logp(e2|e1)=NA -logp(e1|e2)=9\n",
            {("a car", "an auto"): 0.5, ("a car", "2"): 1, ("it s", "that is"): 1},
            True,
        ),
    ],
)
def test_tables_of_pairs(write, content, expected, weighted):
    table = load_table(str(write(content)))
    assert pairs_of(table) == both_ways(expected)
    assert table.weighted is weighted


MOSES = """\
f1 ||| a house ||| 0.5 0.1 0.6 0.1 2.718 ||| 0-0 ||| 3 5 2
f1 ||| a home ||| 0.4 0.1 0.3 0.1 2.718
f2 ||| a house ||| 0.2 0.1 0.7 0.1
f2 ||| a home ||| 0.1 0.1 0.2 0.1
f2 ||| ! ||| 0.1 0.1 0.1 0.1
f3 ||| the bank ||| 1 1 0 1
f3 ||| a home ||| 0 1 1 1
"""


def test_a_moses_table_is_pivoted(write):
    # p(home | house) = p(f1|house) p(home|f1) + p(f2|house) p(home|f2) = .5 * .3 + .2 * .2 = .19;
    # p(house | home) = .4 * .6 + .1 * .7 = .31. A pair has the greater of its two directions.
    # Bank and home share f3: p(home|bank) = 1 * 1.
    table = load_table(str(write(MOSES)))
    assert pairs_of(table) == both_ways({("a house", "a home"): 0.31, ("the bank", "a home"): 1})
    assert table.weighted


def test_a_pair_of_probability_0_is_still_joined(write):
    # ParaEval paper, section 4.2: all phrases with the same translation, whatever the probability.
    table = load_table(str(write("f ||| one ||| 0 0 0 0\nf ||| other ||| 0 0 0 0\n")))
    assert pairs_of(table) == both_ways({("one", "other"): 0})


def test_writings_of_one_phrase_are_joined(write):
    content = "f ||| House ||| .5 0 .25 0\nf ||| house ||| .4 0 .5 0\nf ||| home ||| 1 0 .25 0\n"
    # p(house|f) = .25 + .5, p(f|house) = the greater: p(home|house) = .125, p(house|home) = .75.
    assert pairs_of(load_table(str(write(content)))) == both_ways({("house", "home"): 0.75})


def test_pivoting_that_would_fill_the_memory_is_refused(write, monkeypatch):
    monkeypatch.setattr("scoring.metrics.resources.table.MOST_JOINED", 10)
    with pytest.raises(FileRefused, match="joins 12 pairs, at most 10"):
        load_table(str(write(MOSES)))


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("a\tb\na b\n", 2, "should read phrase TAB paraphrase"),
        ("a\tb\nc\t\n", 2, "should read phrase TAB paraphrase"),
        ("a\tb\t.1\t.2\n", 1, "should read phrase TAB paraphrase"),
        ("a\tb\t1.5\n", 1, "1.5 is not a probability; use a number from 0 to 1"),
        ("a\tb\tnan\n", 1, "nan is not a probability; use a number from 0 to 1"),
        ("a\tb\nc\td\thigh\n", 2, "high is not a probability; use a number from 0 to 1"),
        (b"a\tb\nc\t\xff\n", 2, "is not UTF-8"),
        (b"a\tb\nc\t\0\n", 2, "NUL"),
        ("[X] ||| a ||| b ||| p(e|f)=1\n[X] ||| a ||| b\n", 2, "should read LHS"),
        ("f ||| a ||| .1 .1 .1\nf ||| a\n", 2, "should read foreign"),
        ("f ||| a ||| .1 .1 .1\nf ||| a ||| .1 .1\n", 2, "should read foreign"),
        ("f ||| a ||| .1 .1 x\n", 1, "should read foreign"),
        ("f ||| a ||| 1.1 .1 .1\n", 1, "should read foreign"),
        ("f ||| a ||| .1 .1 .1\n", 0, "has no pair"),
        ("", 0, "has no pair"),
        ("a\ta\n!\t?\n", 0, "has no pair"),
    ],
)
def test_what_is_refused_names_the_line(write, content, line, message):
    path = write(content)
    with pytest.raises(FileRefused, match=message) as refusal:
        load_table(str(path))
    assert refusal.value.lines[0].startswith(f"{path}:{line}: ")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Don't!", "do n't"),
        ("It’s", "it 's"),
        ("they'll can't", "they 'll ca n't"),
        ("oh, Mr. Collins", "oh , mr collins ."),
    ],
)
def test_phrases_are_known_by_their_words(one, other):
    assert phrase_key(one) == phrase_key(other)


def test_its_and_it_is_are_two():
    assert phrase_key("its") != phrase_key("it's")


# A paraphrase table as arrays: found by phrase, mapped from disk, shared between processes.


def quiet(share):
    assert 0 <= share <= 1


def test_places_of_phrases_in_a_text(write):
    table = load_table(str(write("in the end\tfinally\nthe\ta\nend of\tlast\n")))
    words = ["In", "the", ",", "end", "of", "the", "the", "!"]
    found = {table.phrases[phrase]: places for phrase, places in table.spans(words).items()}
    # A place begins and ends with a word, and passes over the marks inside.
    assert found == {"in the end": [(0, 4)], "the": [(1, 2), (5, 6), (6, 7)], "end of": [(3, 5)]}


@pytest.fixture
def store(write, tmp_path):
    path = write("".join(f"word {n}\tword {n + 1}\t{n / 200}\n" for n in range(150)))
    counts = convert(path, tmp_path / "store", progress=quiet)
    assert counts == {"phrases": 151, "pairs": 150, "skipped": 0}
    return path, tmp_path / "store"


def test_a_store_holds_the_same_and_is_mapped(store):
    path, folder = store
    plain, found = load_table(str(path)), load_table(str(folder))
    assert pairs_of(found) == pairs_of(plain)
    for array in (found.partners, found.phrases.text, found.phrases.hashes):
        assert isinstance(array.base, np.memmap)
        assert not array.flags.writeable
    # Beside the arrays only the rows as they came, with their direction.
    others = {name.name for name in folder.iterdir() if name.suffix not in (".npy", ".json")}
    assert others <= {DIRECTED}


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_partners_of_several_phrases(store, share):
    table = load_table(str(store[1]))
    ids = table.phrases.find(["word 60", "word 61", "word 9"])
    partners, owners = table.partners_of(ids, share)
    assert list(partners) == sorted(partners)
    found = {
        (table.phrases[one], table.phrases[other])
        for one, other in zip(partners, owners, strict=True)
    }
    # The probability of word n and word n + 1 is n / 200: that of 60 and 61 is the limit.
    likely = {("word 61", "word 60"), ("word 60", "word 61"), ("word 62", "word 61")}
    rare = {("word 59", "word 60"), ("word 8", "word 9"), ("word 10", "word 9")}
    assert found == (likely if share else likely | rare)


def test_a_store_of_another_file_is_another_table(store, write, tmp_path):
    # The sum of a store is that of its file, so a worker that kept the old one reads anew.
    before = load_table(str(store[1]))
    other = write("one\ttwo\n", "other.txt")
    convert(other, tmp_path / "second", progress=quiet)
    assert json.loads((tmp_path / "second" / "about.json").read_text())["pairs"] == 1
    assert load_table(str(tmp_path / "second")).phrases.find(["one"]) != [-1]
    assert load_table(str(store[1])) is before


# Paraphrase tables: their three forms, what is refused, stores, looking phrases up.


def test_a_folder_without_a_store_and_a_lost_file_are_refused(tmp_path):
    with pytest.raises(FileRefused, match="not a store of a table"):
        load_table(str(tmp_path))
    with pytest.raises(FileRefused, match="cannot be read"):
        load_table(str(tmp_path / "none.txt"))


def test_scipy_is_loaded_only_where_a_table_is_pivoted(write):
    path = str(write("a\tb"))
    code = (
        "import sys; from scoring.metrics.resources.table import DIRECTED, convert, load_table;"
        f"load_table({path!r}); print('scipy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\tb\t0.5\nb\tc\t0.2\n", True),
        ("a\tb\n", False),
        ("[NN] ||| a ||| b ||| PPDB2.0Score=1 -logp(e2|e1)=0.5 ||| 0-0 ||| Equivalence\n", False),
    ],
)
def test_rows_with_a_direction_are_kept_beside_the_arrays(write, tmp_path, text, kept):
    folder = tmp_path / "store"
    convert(write(text), folder, progress=print)
    rows = folder / DIRECTED
    assert rows.exists() is kept
    assert not kept or rows.read_text() == text
