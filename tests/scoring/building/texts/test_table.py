"""Tables of texts: every form gives the same rows, and what is wrong is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.building.vectors import convert, open_texts, write_texts
from scoring.metrics.files import FileRefused

CSV = 'id,text,label\n1,"It rains, again.",bad\n2,Sun.,\n'
TSV = "id\ttext\tlabel\n1\tIt rains, again.\tbad\n2\tSun.\t\n"
JSONL = (
    '{"id": 1, "text": "It rains, again.", "label": "bad"}\n'
    '{"id": "2", "text": "Sun.", "label": null}\n'
)


def read(content, folder):
    source = folder / "given.txt"
    source.write_text(content)
    store = folder / "store"
    store.mkdir()
    meta = convert(source, store, progress=print)
    table = open_texts(store)
    rows = list(table.rows())
    assert (meta["rows"], meta["columns"]) == (table.n, len(table.columns)) == (len(rows), 3)
    return rows


@pytest.mark.parametrize("content", [CSV, TSV, JSONL, "\ufeff" + CSV])
def test_every_form_gives_the_same_rows(content, tmp_path):
    assert read(content, tmp_path) == [
        {"id": "1", "text": "It rains, again.", "label": "bad"},
        {"id": "2", "text": "Sun."},
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,text\n1,a\n1,b\n", r"given.txt:3: column 'id': '1' is already on line 2"),
        ("id,text\n1,a\n,b\n", r"given.txt:3: column 'id': is empty"),
        ("id,text\n1\n", r"given.txt:2: there are 1 cells where the header has 2"),
        ('{"text": "a"}\n{"text": \n', r"given.txt:2: "),
        ("text\n", r"given.txt:"),
        ("text\n \n", r"given.txt:0: has no row"),
    ],
)
def test_what_is_wrong_is_named(content, said, tmp_path):
    with pytest.raises(FileRefused, match=said):
        read(content, tmp_path)


ROWS = st.lists(
    st.dictionaries(st.sampled_from(["a", "b", "c"]), st.text(min_size=1), min_size=1), max_size=5
)


@given(rows=ROWS)
def test_what_is_written_is_read(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    write_texts(rows, folder, digest="x", columns=("c",))
    table = open_texts(folder)
    assert list(table.rows()) == rows
    assert table.columns[0] == "c"
    assert set(table.columns) == {"c", *(name for row in rows for name in row)}


def test_another_store_is_refused(tmp_path):
    with pytest.raises(FileRefused, match="is not a store of a table of texts"):
        open_texts(tmp_path)
