"""Numbers for all phrases of a text, so that phrases are counted as integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.building.alignment.parallel import Words

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class NumberedPhrases:
    """A text whose phrases of up to `longest` words have numbers: equal phrases the same one.

    `starts` are where sentences begin, and at the end the number of words. `numbers[n - 1][p]` is
    the number of the phrase of n words that begins at word p, -1 if the sentence ends before.
    `example` is a place of each phrase, `lengths` its words.
    """

    vocabulary: list[str]
    words: NDArray[np.int32]
    starts: Ints
    numbers: list[NDArray[np.int32]]
    example: NDArray[np.int32]
    lengths: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.example)

    def at(self, start: Ints, length: Ints) -> Ints:
        """The numbers of the phrases at some places."""
        found = np.empty(len(start), dtype=np.int64)
        for size, numbers in enumerate(self.numbers, 1):
            mine = length == size
            found[mine] = numbers[start[mine]]
        return found

    def texts(self, numbers: Ints) -> list[str]:
        """Phrases, their words apart by a blank."""
        start, length = self.example[numbers].tolist(), self.lengths[numbers].tolist()
        words, vocabulary = self.words, self.vocabulary
        return [
            " ".join([vocabulary[word] for word in words[p : p + n].tolist()])
            for p, n in zip(start, length, strict=True)
        ]

    def find(self, phrases: Sequence[Words]) -> Ints:
        """The numbers of those phrases that are in the text, ascending."""
        known = {word: number for number, word in enumerate(self.vocabulary)}
        found = set()
        parents = self._children()
        for phrase in phrases:
            number = known.get(phrase[0], -1) if phrase else -1
            for length, word in enumerate(phrase[1:], 2):
                if number < 0 or length > len(self.numbers):
                    number = -1
                    break
                codes, children = parents[length - 2]
                code = number * len(self.vocabulary) + known.get(word, -1)
                at = int(np.searchsorted(codes, code)) if word in known else len(codes)
                number = int(children[at]) if at < len(codes) and codes[at] == code else -1
            if number >= 0:
                found.add(number)
        return np.array(sorted(found), dtype=np.int64)

    def _children(self) -> list[tuple[Ints, Ints]]:
        """For each length from 2, the codes of phrases (number of the phrase without the last
        word x vocabulary + last word), ascending, and their numbers."""
        found = []
        for length in range(2, len(self.numbers) + 1):
            children = np.flatnonzero(self.lengths == length)
            place = self.example[children].astype(np.int64)
            parent = self.numbers[length - 2][place].astype(np.int64)
            codes = parent * len(self.vocabulary) + self.words[place + length - 1]
            order = np.argsort(codes)
            found.append((codes[order], children[order]))
        return found


def number_phrases(sentences: Sequence[Words], longest: int) -> NumberedPhrases:
    """Number all phrases of up to `longest` words; each round sorts the text once."""
    known: dict[str, int] = {}
    flat = np.fromiter(
        (known.setdefault(word, len(known)) for words in sentences for word in words),
        dtype=np.int32,
    )
    starts = np.zeros(len(sentences) + 1, dtype=np.int64)
    np.cumsum([len(words) for words in sentences], out=starts[1:])
    ends = np.repeat(starts[1:], np.diff(starts))
    numbers = [flat]
    _, places = np.unique(flat, return_index=True)
    examples = [places.astype(np.int32)]
    lengths = [np.ones(len(places), dtype=np.int8)]
    total = len(places)
    for length in range(2, longest + 1):
        begins = np.flatnonzero(np.arange(len(flat)) + length <= ends)
        codes = numbers[-1][begins].astype(np.int64) * len(known) + flat[begins + length - 1]
        order = np.argsort(codes, kind="stable")
        codes = codes[order]
        first = np.ones(len(codes), dtype=bool)
        first[1:] = codes[1:] != codes[:-1]
        del codes  # As long as the text, like all here: little of it at a time.
        begins = begins[order]
        mine = np.full(len(flat), -1, dtype=np.int32)
        mine[begins] = np.cumsum(first, dtype=np.int32) - np.int32(1 - total)
        place = begins[first].astype(np.int32)
        numbers.append(mine)
        examples.append(place)
        lengths.append(np.full(len(place), length, dtype=np.int8))
        total += len(place)
    return NumberedPhrases(
        list(known), flat, starts, numbers, np.concatenate(examples), np.concatenate(lengths)
    )
