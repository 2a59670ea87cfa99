from io import BytesIO

import pytest

from annotation.importers.tables import TableError, is_book, open_book
from tests.annotation.importers.tables.messy import FILES, opened

KINDS = {
    "capitals.csv": "csv",
    "Excel Unicode.txt": "tsv",
    "notes first.xlsx": "xlsx",
    "empty rows.ods": "ods",
    "frame.parquet": "parquet",
    "panel.dta": "dta",
    "survey.sav": "sav",
    "records.json": "json",
    "lines.jsonl": "jsonl",
}


@pytest.mark.parametrize("name", KINDS)
def test_a_file_is_known_by_what_it_holds(name):
    assert opened(name).kind == KINDS[name]
    if name not in ("lines.jsonl", "capitals.csv", "Excel Unicode.txt"):
        renamed = open_book(BytesIO(FILES[name].make()), "renamed.dat")
        assert renamed.kind in (KINDS[name], "csv")


def test_bounds_of_the_file(monkeypatch):
    monkeypatch.setattr("annotation.importers.tables.opening.MOST_BYTES", 1000)
    with pytest.raises(TableError, match="save it as CSV"):
        opened("notes first.xlsx")
    assert opened("capitals.csv").kind == "csv"
    assert is_book("A.XLSX") and not is_book("a.csv")
