from io import BytesIO

import pytest

from annotation.importers.tables import TableError
from annotation.importers.tables.tools.common.zipped import is_folder, open_folder
from tests.annotation.importers.tables.tools.checking import zipped

FILES = {
    "a/t.csv": "x,y\n1,2\n",
    "a/l.jsonl": '{"x": 1}\n',
    "one.json": {"u": "n", "d": {"k": 1}},
    "many.json": [{"x": 1}],
    "s.txt": "b\n\nc\n",
    "README.md": "# a\n\nb",
    "empty.csv": "\n",
    "p.png": "no",
    "__MACOSX/t.csv": "x",
    ".x.csv": "x",
}


def test_files_are_sheets():
    book = open_folder(BytesIO(zipped(FILES)), "z.zip")
    rows = {sheet: list(book.rows(sheet)) for sheet in book.sheets}
    assert rows == {
        "a/t.csv": [(0, ["x", "y"]), (2, ["1", "2"])],
        "a/l.jsonl": [(0, ["x"]), (1, [1])],
        "one.json": [(0, ["u", "d"]), (1, ["n", '{"k": 1}'])],
        "many.json": [(0, ["x"]), (1, [1])],
        "s.txt": [(0, ["text"]), (1, ["b"]), (3, ["c"])],
        "README.md": [(0, ["text"]), (1, ["# a\n\nb"])],
        "empty.csv": [],
    }


def test_what_is_a_folder():
    assert is_folder(BytesIO(zipped(FILES))) and not is_folder(BytesIO(b"PK\x03\x04"))
    assert not is_folder(BytesIO(zipped({"xl/workbook.xml": "", "t.csv": "a"})))
    assert not is_folder(BytesIO(zipped({"a.txt": "x"})))


def test_a_damaged_file_is_refused():
    book = open_folder(BytesIO(zipped({"a.json": "[{"})), "z.zip")
    with pytest.raises(TableError, match="not JSON"):
        list(book.rows("a.json"))
    with pytest.raises(TableError, match="more than"):
        open_folder(BytesIO(zipped({f"{n}.csv": "" for n in range(1001)})), "z.zip")
