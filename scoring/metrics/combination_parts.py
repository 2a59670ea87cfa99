"""How a metric that is made of others shows its parts, in `Score.detail["parts"]`."""

from __future__ import annotations

PartRow = list[str | float]


def part_row(name: str, score: float, term: float, weight: float) -> PartRow:
    """A part: its name, its score as in a column of its own, what that becomes in the formula (the
    same number, or scaled), and the weight of that."""
    return [name, score, term, weight]
