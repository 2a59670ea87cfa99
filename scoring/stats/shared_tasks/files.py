"""The files that participants get, as tab-separated text in UTF-8.

They are made of ids and texts alone: gold, split and systems are in none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scoring.stats.shared_tasks.frozen import Frozen
from scoring.stats.table import BoolArray


def tsv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Lines of cells; a cell with a tab, a quote or a line end is quoted as in CSV."""
    lines = ["\t".join(map(_cell, row)) for row in (header, *rows)]
    return ("\n".join(lines) + "\n").encode("utf-8")


def _cell(text: str) -> str:
    if any(mark in text for mark in '\t"\n\r'):
        return '"' + text.replace('"', '""') + '"'
    return text


def texts_file(frozen: Frozen) -> bytes:
    """id, original, text: all texts."""
    of = [frozen.originals[at] for at in frozen.original.tolist()]
    rows = zip(frozen.ids, of, frozen.texts, strict=True)
    return tsv(("id", "original", "text"), rows)


def pairs_file(frozen: Frozen) -> bytes:
    """pair, a, b: all pairs, those that people tie too."""
    a = [frozen.ids[at] for at in frozen.a.tolist()]
    b = [frozen.ids[at] for at in frozen.b.tolist()]
    return tsv(("pair", "a", "b"), zip(frozen.pairs, a, b, strict=True))


def originals_file(frozen: Frozen) -> bytes:
    """original, text."""
    return tsv(("original", "text"), zip(frozen.originals, frozen.original_texts, strict=True))


def references_file(frozen: Frozen) -> bytes:
    """original, reference: the original itself first, then further references."""
    return tsv(
        ("original", "reference"),
        (
            (key, text)
            for key, own, others in zip(
                frozen.originals, frozen.original_texts, frozen.references, strict=True
            )
            for text in (own, *others)
        ),
    )


def gold_file(frozen: Frozen, part: str = "") -> bytes:
    """What is published after closing: a line for each pair, with what people chose by both rules
    and the part; texts with their gold are in `text_gold_file`. `part` names that of all lines."""
    signs = {1: "a", -1: "b", 0: "="}
    parts = _parts(frozen.public[frozen.original[frozen.a]], part)
    return tsv(
        ("pair", "sum", "majority", "part"),
        (
            (pair, signs[s], signs[m], p)
            for pair, s, m, p in zip(
                frozen.pairs, frozen.by_sum.tolist(), frozen.by_majority.tolist(), parts,
                strict=True,
            )
        ),
    )  # fmt: skip


def _parts(public: BoolArray, part: str) -> list[str]:
    return [part or ("public" if one else "final") for one in public.tolist()]


def text_gold_file(frozen: Frozen, part: str = "") -> bytes:
    """text, gold, part and the systems that made it: published after closing."""
    systems: dict[int, list[str]] = {}
    for unit, system in frozen.made.T.tolist():
        systems.setdefault(unit, []).append(frozen.systems[system])
    parts = _parts(frozen.public[frozen.original], part)
    return tsv(
        ("text", "gold", "part", "systems"),
        (
            (key, f"{value:.10g}", p, "|".join(systems.get(at, [])))
            for at, (key, value, p) in enumerate(
                zip(frozen.ids, frozen.gold.tolist(), parts, strict=True)
            )
        ),
    )
