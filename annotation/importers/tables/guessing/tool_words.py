"""The points of words and codes in the answers of a tool's file."""

from __future__ import annotations

from annotation.importers.tables.books import place_of
from annotation.importers.tables.looking import Looked
from annotation.importers.tables.tools import ToolTable
from annotation.importers.tables.tools.common.answer_tables import WORDS_ALONE
from annotation.importers.tables.word_values import Ranges, classed, codes_of_none, speaking


def words_of_tool(
    seen: Looked, table: ToolTable, ranges: Ranges
) -> dict[str, dict[str, float | None]]:
    """Return the points of words that say themselves which they are, of scales whose ends are
    known; their columns no longer ask."""
    words: dict[str, dict[str, float | None]] = {}
    for one in seen.columns:
        guess, profile = one.guess, seen.profiles[place_of(one.column) or 0]
        if guess.role != "value_of":
            continue
        codes = codes_of_none([value for value in profile.values if value is not None])
        none = [
            text
            for text, value in zip(profile.texts, profile.values, strict=True)
            if value in codes
        ]
        if none:
            words[guess.of] = dict.fromkeys(none)
        if guess.reason != WORDS_ALONE or guess.of not in ranges:
            continue
        points = speaking(profile.words, *ranges[guess.of]) or classed(
            table.words.get(guess.of, {}), *ranges[guess.of]
        )
        if points:
            words[guess.of] = points
            guess.ask = False
    return words
