"""The files of tests/data/tools, where `expected.json` says what each holds, as the scripts that
made them drew it."""

import json
from dataclasses import dataclass

from tests import HOME

FOLDER = HOME / "tests/data/tools"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class File:
    """What a file holds. `points`: for each person and scale, those of each text, None for none.

    `left` are pieces of the ledger; `first` is a file whose items are imported before.
    `judgments`: "" if they are read without a question, else "asks" or "refused" and a word of why.
    """

    texts: str
    systems: list
    points: dict = ()
    comments: int = 0
    references: int = 0
    items: str = ""
    judgments: str = ""
    left: list = ()
    first: str = ""

    @property
    def pairs(self):
        return [tuple(pair) for pair in EXPECTED["texts"][self.texts]]

    @property
    def values(self):
        """{(person, paraphrase, scale): value}"""
        return {
            (person, text, scale): float(value)
            for person in self.points
            for scale, points in self.points[person].items()
            for (_, text), value in zip(self.pairs, points, strict=True)
            if value is not None
        }


FILES = {name: File(**file) for name, file in EXPECTED["files"].items()}
