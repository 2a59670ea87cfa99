"""Two texts, line by line: what is gone, what is new, and a line on each side."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT = 1


@dataclass(frozen=True, slots=True)
class DifferentLine:
    """A line; `mark` is - (gone), + (new), a space (in both), or … (lines in both are left out)."""

    mark: str
    text: str


def different_lines(before: str, after: str) -> list[DifferentLine]:
    """Return the lines of both texts, without those in both that are far from a difference."""
    old, new = before.splitlines(), after.splitlines()
    found: list[DifferentLine] = []
    groups = SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT)
    for number, group in enumerate(groups):
        if number or group[0][1] > 0:
            found.append(DifferentLine("…", ""))
        for kind, start, end, first, last in group:
            if kind == "equal":
                found += [DifferentLine(" ", line) for line in old[start:end]]
                continue
            found += [DifferentLine("-", line) for line in old[start:end]]
            found += [DifferentLine("+", line) for line in new[first:last]]
    return found
