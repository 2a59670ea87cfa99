"""Tables in Markdown (the pipe tables of GitHub and pandoc)."""

from __future__ import annotations

from collections.abc import Sequence


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str) -> str:
    """Return a table with the first column left-aligned and the others right-aligned.

    Raises ValueError if a row and the header differ in length.
    """
    for row in rows:
        if len(row) != len(header):
            raise ValueError(f"a row has {len(row)} cells, the header {len(header)}")
    lines = [
        f"**{_cell(caption)}**",
        "",
        _line(header),
        _line(["---", *("---:" for _ in header[1:])]),
        *(_line(row) for row in rows),
    ]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(text: str) -> str:
    """Return a cell on one line, with pipes escaped."""
    return " ".join(text.split()).replace("|", "\\|")
