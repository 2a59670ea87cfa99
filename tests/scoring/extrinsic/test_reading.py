"""Reading labelled texts: what is used, what is counted and left out, and what is refused."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.extrinsic.experiment import read_labelled, split, usual_sizes


@pytest.fixture
def table(tmp_path):
    return tmp_path / "train.csv"


def test_rows_that_cannot_be_used_are_counted(table):
    table.write_text(
        "id,text,pg,y,more\n"
        "a,One two.,Uno,pos,x\n"
        "b,Three,Tre,,x\n"
        "c,Four,,neg,x\n"
        "d,!?,Cinque,neg,x\n"
        "e,One  two. ,Other,pos,x\n"
        "f,One two.,Other,neg,x\n"
        "g,Six,Sei,neg,x\n"
    )
    found = read_labelled(table, ["text", "pg"], "y")
    assert found.problems == ()
    assert (found.ids, found.labels, found.classes) == (("a", "g"), ("pos", "neg"), ("neg", "pos"))
    assert found.texts == {"text": ("One two.", "Six"), "pg": ("Uno", "Sei")}
    assert (found.no_label, found.no_text) == (1, 2)
    assert (found.doubled, found.contradicting) == (2, 1)


def test_rows_without_ids_are_numbered(table):
    table.write_text("text,y\none,0\ntwo,1\n")
    assert read_labelled(table, ["text"], "y").ids == ("1", "2")


def test_json_lines_may_have_numbers_as_labels(tmp_path):
    path = tmp_path / "train.jsonl"
    path.write_text('{"text": "one", "y": 0}\n{"text": "two", "y": 1}\n')
    assert read_labelled(path, ["text"], "y").labels == ("0", "1")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id,text,y\na,one,0\na,two,1\n", "3: column 'id': 'a' is already on line 2"),
        ("text,y\none,0.5\ntwo,1\n", "2: column 'y': '0.5' is a number with decimals"),
        ("text,y\none,1\ntwo,1\n", "0: the texts have 1 classes in column 'y': at least 2"),
        ("text,y\none,\ntwo,\n", "0: the texts have 0 classes"),
        ("words,y\none,1\n", "1: there is no column text"),
        ("", "1: the file is empty"),
        ("text,y\n" + "".join(f"w{n},{n}\n" for n in range(21)), "0: the texts have 21 classes"),
    ],
)
def test_what_is_refused(table, text, told):
    table.write_text(text)
    [problem] = read_labelled(table, ["text"], "y").problems
    assert str(problem).startswith(f"{table}:{told}")


def test_a_missing_file(table):
    [problem] = read_labelled(table, ["text"], "y").problems
    assert "cannot be read" in str(problem)


# Parts of labelled texts.


LABELS = st.lists(st.sampled_from("abc"), min_size=3, max_size=60)


@settings(max_examples=100)
@given(LABELS, st.integers(0, 5), st.randoms())
def test_parts_are_disjoint_and_hold_their_share_of_each_class(labels, seed, random):
    n = len(labels)
    first = random.randint(0, n)
    second = random.randint(0, n - first)
    sizes = (first, second, random.randint(0, n - first - second))
    ids = [f"{at:03}" for at in range(n)]
    parts = split(ids, labels, sizes, seed)
    rows = [*parts.training, *parts.validation, *parts.test]
    assert len(set(rows)) == len(rows)
    totals = Counter(labels)
    for part, size in zip((parts.training, parts.validation, parts.test), sizes, strict=True):
        assert len(part) == size
        counts = Counter(labels[row] for row in part)
        # Both ends of a part cut each class within one text of its share.
        for name, total in totals.items():
            assert abs(counts[name] - size * total / n) <= len(totals)


def test_two_even_classes_are_even_in_every_part():
    labels = ["a", "b"] * 50
    parts = split([f"{at:03}" for at in range(100)], labels, (50, 30, 20), seed=3)
    for part in (parts.training, parts.validation, parts.test):
        assert 2 * sum(labels[row] == "a" for row in part) == len(part)


def test_the_order_of_rows_does_not_matter_and_the_seed_does():
    ids = [f"{at:03}" for at in range(40)]
    labels = ["a" if at % 3 else "b" for at in range(40)]
    one = split(ids, labels, (20, 10, 10), seed=1)
    turned = split(ids[::-1], labels[::-1], (20, 10, 10), seed=1)
    assert [ids[row] for row in one.test] == [ids[::-1][row] for row in turned.test]
    assert one.test.tolist() != split(ids, labels, (20, 10, 10), seed=2).test.tolist()


def test_sizes():
    assert usual_sizes(5500) == (2500, 2000, 1000)
    assert usual_sizes(11) == (5, 4, 2)
    with pytest.raises(ValueError, match="3 texts are asked for and there are 2"):
        split(["1", "2"], ["a", "b"], (1, 1, 1), seed=1)
