"""Files of judgments, read."""

from __future__ import annotations

from annotation.importers import JudgmentRow, Parsed, read_judgments
from tests.annotation.importers.strategies import stream


def read(text: str, **options: object) -> Parsed[JudgmentRow]:
    return read_judgments(stream(text), name="j.csv", **options)  # type: ignore[arg-type]
