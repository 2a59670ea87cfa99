"""The problems that are told of a file."""

from __future__ import annotations

from annotation.importers import read_items
from tests.annotation.importers.strategies import stream


def said(content: bytes | str, name: str = "f.csv", format: str | None = None) -> list[str]:
    parsed = read_items(stream(content), name=name, format=format)
    for row in parsed.rows:
        assert row.sentence[row.start : row.end] == row.phrase
    return [str(problem) for problem in parsed.problems]


ITEMS = "item,phrase,sentence,paraphrase,system,attr.note\n1,a,a b,c,S,x\n"
