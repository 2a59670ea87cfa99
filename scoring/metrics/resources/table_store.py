"""A paraphrase table as arrays: looked up by phrase, memory-mapped, shared between processes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraanno.plain.sentence import say
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.stores import About
from scoring.metrics.resources.table_reading import RawTable, grouped, phrase_key
from scoring.metrics.resources.text_index import Ids, TextIndex, index_of, mapped, mapped_index

Span = tuple[int, int]  # Tokens of a text from, to (half open).
ABOUT = About(
    frozenset({"phrases", "pairs", "weighted"}),
    say("is not a store of a table; create it again."),
    say("is not that of a table, or incomplete; create the store again."),
)


@dataclass(frozen=True, slots=True, eq=False)
class PhraseTable:
    """Phrases with their paraphrases in both directions.

    The partners of phrase p are `partners[offsets[p]:offsets[p + 1]]` in ascending order, with the
    greater of the `probabilities` of both directions (1 if the table has none; `weighted`: it has
    some). `heads` holds the first words of the phrases, and `reach` the number of words of the
    longest phrase with each.
    """

    phrases: TextIndex
    heads: TextIndex
    reach: Ids
    offsets: NDArray[np.int64]
    partners: Ids
    probabilities: NDArray[np.float32]
    weighted: bool

    def spans(self, tokens: Sequence[str]) -> dict[int, list[Span]]:
        """The phrases of the table that occur in a text, each with its spans.

        A span begins and ends with a word; punctuation inside it is ignored.
        """
        keys = [phrase_key(token) for token in tokens]
        firsts = [key.partition(" ")[0] for key in keys]
        places: list[Span] = []
        texts: list[str] = []
        for start, head in enumerate(self.heads.find(firsts)):
            if head < 0:
                continue
            reach, phrase = int(self.reach[head]), ""
            for end in range(start, len(keys)):
                if not keys[end]:
                    continue
                phrase = f"{phrase} {keys[end]}" if phrase else keys[end]
                if phrase.count(" ") >= reach:
                    break
                places.append((start, end + 1))
                texts.append(phrase)
        found: dict[int, list[Span]] = defaultdict(list)
        for place, phrase_id in zip(places, self.phrases.find(texts), strict=True):
            if phrase_id >= 0:
                found[phrase_id].append(place)
        return found

    def partners_of(self, ids: Sequence[int], least: float) -> tuple[Ids, Ids]:
        """The partners of some phrases in ascending order, each with its phrase, for pairs whose
        probability is at least `least`."""
        parts, owners = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
        for one in ids:
            part = slice(int(self.offsets[one]), int(self.offsets[one + 1]))
            found = self.partners[part]
            if least > 0:
                found = found[self.probabilities[part] >= least]
            parts.append(found)
            owners.append(np.full(len(found), one, dtype=np.int32))
        partners, owner = np.concatenate(parts), np.concatenate(owners)
        order = np.argsort(partners, kind="stable")
        return partners[order], owner[order]


def build(raw: RawTable) -> PhraseTable:
    """Build a table from the rows read, at least one pair."""
    keys = list(raw.numbers)
    phrases, ids = index_of(keys)
    left, right = (ids[np.frombuffer(side, dtype=np.int32)] for side in (raw.left, raw.right))
    given = np.frombuffer(raw.probabilities, dtype=np.float64)
    known = ~np.isnan(given)
    size = np.int64(len(keys))
    codes = np.minimum(left, right) * size + np.maximum(left, right)
    codes, given = grouped(codes, np.where(known, given, 1.0), np.maximum)
    low, high = np.divmod(codes, size)
    order = np.lexsort((np.concatenate((high, low)), np.concatenate((low, high))))
    owners = np.concatenate((low, high))[order]
    heads, reach = _heads(keys)
    return PhraseTable(
        phrases=phrases,
        heads=heads,
        reach=reach,
        offsets=np.searchsorted(owners, np.arange(size + 1)).astype(np.int64),
        partners=np.concatenate((high, low))[order].astype(np.int32),
        probabilities=np.concatenate((given, given))[order].astype(np.float32),
        weighted=bool(known.any()),
    )


def _heads(keys: Sequence[str]) -> tuple[TextIndex, Ids]:
    longest: dict[str, int] = {}
    for key in keys:
        head = key.partition(" ")[0]
        longest[head] = max(longest.get(head, 0), key.count(" ") + 1)
    heads, ids = index_of(list(longest))
    reach = np.empty(len(ids), dtype=np.int32)
    reach[ids] = list(longest.values())
    return heads, reach


def write_store(table: PhraseTable, folder: Path, *, source_sha256: str) -> None:
    """Write a store into an empty or new folder; `about.json` is written last and marks it
    complete."""
    folder.mkdir(parents=True, exist_ok=True)
    table.phrases.save(folder, "phrases")
    table.heads.save(folder, "heads")
    for name in ("reach", "offsets", "partners", "probabilities"):
        np.save(folder / f"{name}.npy", getattr(table, name), allow_pickle=False)
    about = {
        "sha256": source_sha256,
        "phrases": len(table.phrases),
        "pairs": len(table.partners) // 2,
        "weighted": table.weighted,
    }
    ABOUT.write(folder, about)


def map_store(folder: Path) -> PhraseTable:
    """The memory-mapped table of a store; FileRefused if its files are damaged or mixed up."""
    about = ABOUT.read(folder)
    phrases, heads = mapped_index(folder, "phrases"), mapped_index(folder, "heads")
    reach = mapped(folder / "reach.npy", np.int32)
    offsets = mapped(folder / "offsets.npy", np.int64)
    partners = mapped(folder / "partners.npy", np.int32)
    probabilities = mapped(folder / "probabilities.npy", np.float32)
    whole = (
        len(phrases) == about["phrases"] == len(offsets) - 1
        and len(heads) == len(reach)
        and len(partners) == len(probabilities) == 2 * about["pairs"] == offsets[-1]
    )
    if not whole:
        raise FileRefused.at(
            folder, 0, say("its files do not belong together; create the store again.")
        )
    return PhraseTable(
        phrases, heads, reach, offsets, partners, probabilities, about["weighted"] is True
    )
