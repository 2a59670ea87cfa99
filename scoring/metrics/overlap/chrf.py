"""chrF (Popovic 2015) and chrF++ (Popovic 2017) as sacrebleu computes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from operator import add
from typing import Any, ClassVar

from paraanno.common.texts import say
from scoring.metrics.base import CorpusMetric
from scoring.metrics.texts.tokenizers import LOWERCASE
from scoring.metrics.values import AGAINST, YES_NO, Option, Vector, references_option

EPSILON = 1e-16
MARKS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@dataclass(frozen=True, slots=True)
class ReferenceGrams:
    """One reference: for each order the counts of n-grams, and their total."""

    counts: list[dict[str, int]]
    totals: list[int]


class Chrf(CorpusMetric[list[ReferenceGrams]]):
    """Unit and system scores equal sacrebleu's with the same options. With several references the
    one with the best score counts. Undefined for a paraphrase without characters; in a corpus score
    such a text counts as empty.
    """

    name = "chrf"
    title = "chrF"
    summary = say("0 to 100: the F-score of character n-grams, with recall weighted `beta` times.")
    family = "overlap"
    percent = True
    WORDS_AT = 0
    OPTIONS: ClassVar[tuple[Option, ...]] = (
        AGAINST,
        references_option("multi", "max", "mean"),
        Option("char_order", "6", say("Maximum length of character n-grams."), least=1, most=10),
        Option(
            "word_order",
            "0",
            say("Maximum length of word n-grams; 2 gives chrF++."),
            least=0,
            most=5,
        ),
        Option("beta", "2", say("The weight of recall relative to precision."), least=1, most=10),
        LOWERCASE,
        Option("whitespace", "no", say("Count spaces as characters."), YES_NO),
        Option(
            "eps_smoothing",
            "no",
            say(
                "yes takes the mean of the F-scores of all orders, as chrF++.py, NLTK and Moses "
                "do; no takes the F-score of mean precision and mean recall over the orders that "
                "both texts have."
            ),
            YES_NO,
        ),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._characters = int(self.options["char_order"])
        self._words = int(self.options.get("word_order", 2))  # chrF++ has no such option.
        self._fold = self.options["lowercase"] == "yes"
        self._blanks = self.options["whitespace"] == "yes"

    def versions(self) -> dict[str, str]:
        return {"sacrebleu": version("sacrebleu")}

    def _orders(self, text: str) -> Iterator[Sequence[str]]:
        """The n-grams of each order: character orders from 1, then word orders from 1."""
        text = text.lower() if self._fold else text
        words = text.split()
        characters = text if self._blanks and words else "".join(words)
        grams: Sequence[str] = characters
        yield grams
        for order in range(1, self._characters):
            grams = list(map(add, grams, characters[order:]))
            yield grams
        if self._words:
            words = marks_apart(words)
        for order in range(1, self._words + 1):
            yield [" ".join(words[at : at + order]) for at in range(len(words) - order + 1)]

    def _know(self, targets: tuple[str, ...]) -> list[ReferenceGrams]:
        references = []
        for text in targets:
            orders = list(self._orders(text))
            if orders[0]:
                references.append(
                    ReferenceGrams([dict(Counter(one)) for one in orders], sizes(orders))
                )
        return references

    def _statistics(self, target: list[ReferenceGrams], paraphrase: str) -> Vector | None:
        """For each order the number of n-grams in the text, in its reference, and shared."""
        orders = list(self._orders(paraphrase))
        totals = sizes(orders)
        best: Vector | None = None
        highest = -1.0
        for reference in target:
            vector: list[int] = []
            for grams, total, counts, theirs in zip(
                orders, totals, reference.counts, reference.totals, strict=True
            ):
                vector += (total if theirs else 0, theirs, shared(grams, counts))
            if len(target) == 1:
                return tuple(vector)
            value = self._value(tuple(vector))
            if value > highest:
                best, highest = tuple(vector), value
        return best

    def _value(self, total: Vector) -> float:
        factor = int(self.options["beta"]) ** 2
        scores = precisions = recalls = 0.0
        both = 0
        for at in range(0, len(total), 3):
            own, theirs, common = total[at : at + 3]
            precision = common / own if own else EPSILON
            recall = common / theirs if theirs else EPSILON
            scores += f_score(precision, recall, factor) if precision + recall else EPSILON
            if own and theirs:
                precisions, recalls, both = precisions + precision, recalls + recall, both + 1
        if self.options["eps_smoothing"] == "yes":
            return 100 * scores / (len(total) // 3)
        if not precisions + recalls:
            return 0.0
        return 100 * f_score(precisions / both, recalls / both, factor)


class ChrfPlusPlus(Chrf):
    """chrF with `word_order` 2."""

    name = "chrfpp"
    title = "chrF++"
    summary = say(
        "0 to 100: the F-score of character n-grams and of word n-grams up to two, with "
        "recall weighted `beta` times. The same as chrF with word_order 2."
    )
    OPTIONS = tuple(option for option in Chrf.OPTIONS if option.name != "word_order")


def f_score(precision: float, recall: float, factor: int) -> float:
    """The weighted harmonic mean, recall with weight `factor`; at least one is above 0."""
    return (1 + factor) * precision * recall / (factor * precision + recall)


def sizes(orders: list[Sequence[str]]) -> list[int]:
    """The number of n-grams of each order."""
    return [len(grams) for grams in orders]


def shared(grams: Sequence[str], counts: dict[str, int]) -> int:
    """The number of n-grams shared with the reference (clipped counts)."""
    left = counts.copy()
    count = 0
    for gram in grams:
        remaining = left.get(gram)
        if remaining:
            left[gram] = remaining - 1
            count += 1
    return count


def marks_apart(words: list[str]) -> list[str]:
    """The words with one ASCII mark split off: the last character if it is one, else the first."""
    tokens: list[str] = []
    for word in words:
        if len(word) > 1 and word[-1] in MARKS:
            tokens += (word[:-1], word[-1])
        elif len(word) > 1 and word[0] in MARKS:
            tokens += (word[0], word[1:])
        else:
            tokens.append(word)
    return tokens
