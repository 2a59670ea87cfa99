"""Reading labelled texts: what is used, what is counted and left out, and what is refused."""

import pytest

from scoring.extrinsic.experiment import read_labelled


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
