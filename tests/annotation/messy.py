"""Spreadsheets as people really make them, each with what a person has to choose: the files of
tests/data/tables/messy. The sentences are our own.
"""

import json
from dataclasses import dataclass, field
from io import BytesIO

from annotation.importers.tables import open_book
from tests import HOME

FOLDER = HOME / "tests/data/tables/messy"


@dataclass(frozen=True)
class Messy:
    """One spreadsheet. `choices` are roles by column letter, set by a person (three at most);
    `refused` is a part of the reason where it cannot be imported; `adds` are new rows."""

    path: str
    what: str = "items"
    choices: dict = field(default_factory=dict)
    refused: str = ""
    adds: dict = field(default_factory=dict)

    def make(self):
        return (FOLDER / self.path).read_bytes()


EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
FILES = {name: Messy(**one) for name, one in EXPECTED.items()}


def opened(name):
    return open_book(BytesIO(FILES[name].make()), name)
