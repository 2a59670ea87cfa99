"""Tables in Markdown (the pipe tables of GitHub and pandoc)."""

from __future__ import annotations

from collections.abc import Sequence


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str) -> str:
    """The first column is text, the others are set right. Raises ValueError for a row of another
    length."""
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
    """On one line, and without a bar that would end the cell."""
    return " ".join(text.split()).replace("|", "\\|")
