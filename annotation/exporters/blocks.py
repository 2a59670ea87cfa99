"""Rows that share most of their cells, as the judgments of a text repeat its item and sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import Any


@dataclass(frozen=True, slots=True)
class RowBlock:
    """`shared` rows, each of which stands `times` as often, with cells of their `own`.

    `own` has a value for each row by the key of its column; no key is in both.
    """

    shared: Sequence[Mapping[str, object]]
    times: Sequence[int]
    own: Mapping[str, Sequence[object]]

    def __len__(self) -> int:
        return sum(self.times)

    def rows(self) -> Iterator[dict[str, object]]:
        cells = zip(*self.own.values(), strict=True)
        for row, n in zip(self.shared, self.times, strict=True):
            for own in islice(cells, n):
                yield {**row, **dict(zip(self.own, own, strict=True))}

    def column(self, key: str) -> Iterable[object]:
        """The value of each row; None where a shared row has no such key."""
        if key in self.own:
            return self.own[key]
        return self.repeated([row.get(key) for row in self.shared])

    def repeated(self, values: Iterable[Any]) -> Iterable[Any]:
        """The value of each shared row, as often as it stands."""
        return chain.from_iterable(map(repeat, values, self.times))


class RowBlocks:
    """Rows as any others, which writers take block by block."""

    def __init__(self, blocks: Iterable[RowBlock]) -> None:
        self.blocks = iter(blocks)

    def __iter__(self) -> Iterator[dict[str, object]]:
        for block in self.blocks:
            yield from block.rows()
