"""TER (Snover et al. 2006) as sacrebleu counts it, in a fraction of the time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from paraanno.plain.sentence import say
from scoring.metrics.base import AGAINST, YES_NO, Option, Vector, references_option
from scoring.metrics.corpus_metric import CorpusMetric
from scoring.metrics.overlap.ter_align import distance
from scoring.metrics.overlap.ter_shifts import MOST_CANDIDATES, best_shift

UNKNOWN = "\0"  # Stands for any word that is not in the reference, and never matches.


@dataclass(frozen=True, slots=True)
class EncodedReference:
    """A reference with one character per distinct word, and the counts of the characters."""

    letters: dict[str, str]
    text: str
    counts: dict[str, int]


class Ter(CorpusMetric[list[EncodedReference]]):
    """Unit and system scores equal sacrebleu's with the same options. With several references, the
    edits to the nearest one are divided by the mean length of all.
    """

    name = "ter"
    title = "TER"
    summary = say(
        "0 (a copy) upwards, 100 for as many edits as the reference has words: the minimum "
        "number of words inserted, deleted or replaced and of blocks of words moved. Lower "
        "is better."
    )
    family = "surface"
    higher_is_better = False
    percent = True
    longest = 5_000  # Some 1,000 words: beyond that, the search for shifts takes seconds.
    WORDS_AT = 1  # A paraphrase without words has a score: all words of the reference are missing.
    OPTIONS = (
        AGAINST,
        references_option("multi", "max", "mean"),
        Option("normalized", "no", say("Separate punctuation from words, as Tercom does."), YES_NO),
        Option("no_punct", "no", say("Remove punctuation."), YES_NO),
        Option(
            "asian_support",
            "no",
            say(
                "Chinese and Japanese: with normalized=yes each character is a word, with "
                "no_punct=yes their punctuation is removed too."
            ),
            YES_NO,
        ),
        Option("case_sensitive", "no", say("Distinguish upper and lower case."), YES_NO),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        names = ("normalized", "no_punct", "asian_support", "case_sensitive")
        chosen = {name: self.options[name] == "yes" for name in names}
        self._tokenizer = TercomTokenizer(**chosen)
        self._plain = not (chosen["normalized"] or chosen["no_punct"])
        self._fold = not chosen["case_sensitive"]

    def versions(self) -> dict[str, str]:
        return {"sacrebleu": version("sacrebleu")}

    def words(self, text: str) -> list[str]:
        """The words of a text."""
        if self._plain:
            return (text.lower() if self._fold else text).split()
        # The uncached function: its cache would keep 65,536 texts.
        cut: str = TercomTokenizer.__call__.__wrapped__(self._tokenizer, text.rstrip())
        return cut.split()

    def _know(self, targets: tuple[str, ...]) -> list[EncodedReference]:
        return [reference_of(words) for text in targets if (words := self.words(text))]

    def _statistics(self, known: list[EncodedReference], paraphrase: str) -> Vector | None:
        """The edits to the nearest reference, and the mean length of the references."""
        if not known:
            return None
        words = self.words(paraphrase)
        lengths = sum(len(reference.text) for reference in known)
        return (min(edits(words, one) for one in known), lengths / len(known))

    def _value(self, total: Vector) -> float:
        return 100 * total[0] / total[1]


def reference_of(words: list[str]) -> EncodedReference:
    """Analyse a reference for comparison."""
    letters = {word: chr(at) for at, word in enumerate(dict.fromkeys(words), 1)}
    text = "".join(letters[word] for word in words)
    return EncodedReference(letters, text, Counter(text))


def edits(words: list[str], reference: EncodedReference) -> int:
    """The number of edits and shifts that turn the words into those of the reference.

    Shifts are chosen greedily, each the one that saves most edits. The search is skipped if a shift
    could save at most one edit, because it costs one itself.
    """
    known = reference.letters
    text = "".join([known.get(word, UNKNOWN) for word in words])
    shared = sum(min(text.count(letter), n) for letter, n in reference.counts.items())
    # A lower bound for any order of the words.
    least = max(len(words), len(reference.text)) - shared
    left = distance(text, reference.text)
    shifts = tried = 0
    while left - least > 1:
        shift = best_shift(text, reference.text, left, least, MOST_CANDIDATES - tried)
        if shift is None:
            break
        shifts += 1
        tried += shift.tried
        text, left = shift.text, shift.distance
    return shifts + left
