"""Test sets of phrases in sentences, with the paraphrases of several conditions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log10
from pathlib import Path
from typing import Any, Protocol

from paraanno.common.texts import say
from scoring.building.alignment import Words
from scoring.building.labels import SentenceLabels
from scoring.building.paraphrases.features import features_store, has_features
from scoring.building.paraphrases.table import open_phrases
from scoring.building.test_sets.drawing import STEPS, Candidates, Cuts, Drawn, Place, draw, passing
from scoring.metrics.files import FileRefused, Problems, table_rows
from scoring.metrics.resources.arpa import LanguageModel

FIGURES = "figures.json"  # Beside the items of a test set that was built: what its preview shows.


# The eight conditions of Callison-Burch (2008): how the paraphrase of a phrase is chosen.
#
# | number | paraphrases | |---|---| | 0 | the most probable | | 2 | syntactic constraints when
# paraphrases are extracted: the most probable in the mean over the labels of the phrase | | 4 |
# constraints when they are substituted: the most probable of those seen with the label that the
# phrase has in the sentence | | 6 | both: the most probable given the label that the phrase has in
# the sentence | | 1, 3, 5, 7 | those of 0, 2, 4, 6, chosen with the help of a language model |


Ranked = list[tuple[str, float]]  # Paraphrases with their probabilities, the best first.
CANDIDATES = 30  # Paraphrases that the language model chooses among.
MIN_LABELLED = 5
BASELINE, EXTRACTION, SUBSTITUTION, BOTH = 0, 2, 4, 6
CONSTRAINED = (EXTRACTION, SUBSTITUTION, BOTH)


class Source(Protocol):
    """Where paraphrases come from. `labels` is empty if it has none by label; `counted`: whether
    `labels_of` counts phrase pairs, or has shares of a whole that nobody knows."""

    @property
    def labels(self) -> tuple[str, ...]: ...

    @property
    def counted(self) -> bool: ...

    def best(self, phrase: str) -> Ranked: ...

    def labels_of(self, phrase: str) -> dict[str, int]: ...

    def best_with(self, phrase: str, label: str) -> Ranked: ...


@dataclass(frozen=True, slots=True)
class Chosen:
    """A paraphrase with its probability in the condition, and the log10 probability that the
    language model gives to the sentence with it (None without a model)."""

    text: str
    probability: float
    fluency: float | None


class Chooser:
    """Chooses paraphrases from one source."""

    def __init__(
        self,
        source: Source,
        *,
        model: LanguageModel | None = None,
        parsed: bool = False,
        weight: float = 1.0,
        per_word: bool = False,
        min_labelled: int = MIN_LABELLED,
    ) -> None:
        """`parsed`: labels of places will be given. The language model counts `weight` times, as
        the log10 probability of the sentence with its end, `per_word` divided by its words + 1. A
        phrase with fewer than `min_labelled` labelled phrase pairs has none in 2 and 6, if the
        source counts them."""
        self._source = source
        self._model = model
        self._parsed = parsed and bool(source.labels)
        self._weight = weight
        self._per_word = per_word
        self._least = min_labelled if source.counted else 1
        self._best = lru_cache(maxsize=100_000)(source.best)
        self._labels_of = lru_cache(maxsize=100_000)(source.labels_of)
        self._extracted = lru_cache(maxsize=10_000)(self._over_labels)

    def conditions(self) -> tuple[int, ...]:
        """The conditions that can be made: those of the parts that are there."""
        plain = [BASELINE]
        if self._source.labels:
            plain += CONSTRAINED if self._parsed else CONSTRAINED[:1]
        return tuple(k + lm for k in plain for lm in ((0, 1) if self._model else (0,)))

    def has(self, phrase: str) -> bool:
        """Whether the phrase has a paraphrase at all."""
        return bool(self._best(phrase))

    def choose(
        self, words: Words, start: int, end: int, label: str | None
    ) -> dict[int, list[Chosen]]:
        """For each condition the paraphrases of a span of a sentence, the best first (up to
        CANDIDATES; empty if the condition has none). `label` is that of the span here."""
        phrase = " ".join(words[start:end])
        lists = {k: self._ranked(k, phrase, label) for k in self.conditions() if k % 2 == 0}
        logs = self._fluency(words, start, end, lists.values())
        by_condition: dict[int, list[Chosen]] = {}
        for condition, ranked in lists.items():
            choices = [Chosen(text, value, logs.get(text)) for text, value in ranked]
            by_condition[condition] = choices
            if self._model is not None:
                by_condition[condition + 1] = sorted(
                    choices, key=lambda one: -self._together(one, len(words) - end + start)
                )
        return dict(sorted(by_condition.items()))

    def _ranked(self, condition: int, phrase: str, label: str | None) -> Ranked:
        if condition == EXTRACTION:
            return self._extracted(phrase)
        if condition == SUBSTITUTION:
            if label is None:
                return []
            fits = (one for one in self._best(phrase) if label in self._labels_of(one[0]))
            return [one for one, _ in zip(fits, range(CANDIDATES), strict=False)]
        if condition == BOTH:
            if label is None or self._labels_of(phrase).get(label, 0) < self._least:
                return []
            return self._source.best_with(phrase, label)[:CANDIDATES]
        return self._best(phrase)[:CANDIDATES]

    def _over_labels(self, phrase: str) -> Ranked:
        """The sum over labels s of p(s | phrase) p(paraphrase | phrase, s)."""
        times = self._labels_of(phrase)
        whole = sum(times.values())
        if whole < self._least:
            return []
        sums: dict[str, float] = {}
        for label, n in times.items():
            for text, value in self._source.best_with(phrase, label):
                sums[text] = sums.get(text, 0.0) + n / whole * value
        return sorted(sums.items(), key=lambda one: (-one[1], one[0]))[:CANDIDATES]

    def _fluency(
        self, words: Words, start: int, end: int, lists: Iterable[Ranked]
    ) -> dict[str, float]:
        if self._model is None:
            return {}
        texts = list(dict.fromkeys(text for ranked in lists for text, _ in ranked))
        sentences = [[*words[:start], *text.split(" "), *words[end:]] for text in texts]
        return dict(zip(texts, self._model.score(sentences).logprob.tolist(), strict=True))

    def _together(self, one: Chosen, others: int) -> float:
        fluency = one.fluency or 0.0
        if self._per_word:
            fluency /= others + one.text.count(" ") + 2
        return log10(one.probability) + self._weight * fluency


MARKS = ("keep", "words", "other_words")


class Worded:
    """A source without paraphrases of marks alone and, with `other`, without those that differ from
    their phrase in marks alone."""

    def __init__(self, source: Source, *, other: bool) -> None:
        self._source, self._other = source, other
        self.labels, self.counted = source.labels, source.counted
        self.labels_of = source.labels_of

    def best(self, phrase: str) -> Ranked:
        return self._other_than(phrase, self._source.best(phrase))

    def best_with(self, phrase: str, label: str) -> Ranked:
        return self._other_than(phrase, self._source.best_with(phrase, label))

    def _other_than(self, phrase: str, ranked: Ranked) -> Ranked:
        same = _words_of(phrase) if self._other else []
        return [one for one in ranked if (words := _words_of(one[0])) and words != same]


def _words_of(text: str) -> list[str]:
    return [word for word in text.split() if any(map(str.isalnum, word))]


# From test sentences and paraphrases to the items of a test set.


RANKS = 2  # The best paraphrase of a condition, and on request the second.
SECOND = 8  # Added to the number of a condition for its second paraphrase, as in the guide's file.


@dataclass(frozen=True, slots=True)
class SystemOutput:
    """What a system gave: `choice` None if nothing. `rank` counts from 1."""

    system: str
    rank: int
    choice: Chosen | None


@dataclass(frozen=True, slots=True)
class BuiltItem:
    """A phrase in a sentence with the outputs of all systems. `name` is phrase.item, from 1; the
    span counts characters of the sentence, whose words are separated by one blank."""

    name: str
    drawn: Drawn
    sentence: str
    start: int
    end: int
    label: str | None
    outputs: tuple[SystemOutput, ...]

    def by_text(self) -> dict[str, list[SystemOutput]]:
        """The outputs by their paraphrase, in the order of systems."""
        outputs: dict[str, list[SystemOutput]] = {}
        for one in self.outputs:
            if one.choice is not None:
                outputs.setdefault(one.choice.text, []).append(one)
        return outputs


def select(
    phrases: Mapping[str, list[Place]],
    cuts: Cuts,
    n: int,
    *,
    grammar_words: Collection[str],
    train: Mapping[str, int] | None,
    choosers: Mapping[str, Chooser],
    lower_test: bool = True,
    lower_train: bool = True,
) -> tuple[Candidates, Cuts]:
    """The phrases that pass the cut-offs, and the cut-offs used.

    Where fewer than `n` pass, the minimum counts are lowered in the steps of STEPS, but for those
    that `lower_test` and `lower_train` hold.
    """
    steps = [
        replace(
            cuts,
            test_least=min(cuts.test_least, test) if lower_test else cuts.test_least,
            train_least=min(cuts.train_least, train_)
            if lower_train and train is not None
            else cuts.train_least,
        )
        for test, train_ in STEPS
    ]
    for used in dict.fromkeys([cuts, *steps]):
        candidates = passing(
            phrases,
            used,
            grammar_words=grammar_words,
            train=train,
            has_paraphrase=lambda phrase: any(one.has(phrase) for one in choosers.values()),
        )
        if len(candidates.places) >= n:
            return candidates, used
    return candidates, used


def make_items(
    candidates: Candidates,
    n: int,
    *,
    sentences: Sequence[Words],
    choosers: Mapping[str, Chooser],
    seed: int,
    contexts: int,
    labels: Sequence[SentenceLabels] | None,
    share: float,
    ranks: int = 1,
) -> list[BuiltItem]:
    """Draw phrases and ask every system for its paraphrases. `choosers` by the name of their
    source, which stands before the number of the condition where there are several."""
    drawn = draw(candidates, n, seed=seed, contexts=contexts, labels=labels, share=share)
    items = []
    for number, one in enumerate(drawn, 1):
        for at, (sentence, start, end) in enumerate(one.places, 1):
            words = sentences[sentence]
            label = labels[sentence].get((start, end)) if labels is not None else None
            name = None if label is None else label.names[0]
            begin = sum(len(word) + 1 for word in words[:start])
            items.append(
                BuiltItem(
                    f"{number}.{at}",
                    one,
                    " ".join(words),
                    begin,
                    begin + len(one.phrase),
                    name,
                    tuple(_outputs(choosers, words, start, end, name, ranks)),
                )
            )
    return items


def _outputs(
    choosers: Mapping[str, Chooser],
    words: Words,
    start: int,
    end: int,
    label: str | None,
    ranks: int,
) -> Iterator[SystemOutput]:
    for source, chooser in choosers.items():
        for condition, choices in chooser.choose(words, start, end, label).items():
            system = str(condition) if len(choosers) == 1 else f"{source}:{condition}"
            for rank in range(1, ranks + 1):
                yield SystemOutput(
                    system, rank, choices[rank - 1] if len(choices) >= rank else None
                )


# The rows of a test set: an items file with the attributes that explain each choice.


LABEL = "attr.item.label"
TEST_COUNT = "attr.phrase.test_count"
TRAIN_COUNT = "attr.phrase.train_count"
CONSTITUENT = "attr.phrase.constituent"
PROBABILITY = "attr.output.p"
FLUENCY = "attr.output.lm"


def item_rows(items: Iterable[BuiltItem]) -> Iterator[dict[str, object]]:
    """A row for each output. A system that gives nothing has a row without a paraphrase, so that
    its coverage counts."""
    for item in items:
        drawn = item.drawn
        for output in item.outputs:
            choice = output.choice
            if choice is None and output.rank > 1:
                continue
            yield {
                "item": item.name,
                "phrase": drawn.phrase,
                "sentence": item.sentence,
                "start": item.start,
                "end": item.end,
                "paraphrase": None if choice is None else choice.text,
                "system": output.system,
                "rank": output.rank,
                LABEL: item.label,
                CONSTITUENT: {True: "yes", False: "no", None: None}[drawn.constituent],
                TEST_COUNT: drawn.test_count,
                TRAIN_COUNT: drawn.train_count,
                PROBABILITY: None if choice is None else float(f"{choice.probability:.6g}"),
                FLUENCY: _rounded(None if choice is None else choice.fluency),
            }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


# Paraphrases for test sets: the store of a table, or a file of three columns.


class TablePhrases:
    """The paraphrases of a file `phrase TAB paraphrase TAB probability`, without labels."""

    labels: tuple[str, ...] = ()
    counted = True

    def __init__(self, rows: dict[str, Ranked]) -> None:
        self._rows = rows

    def best(self, phrase: str) -> Ranked:
        return self._rows.get(phrase, [])

    def labels_of(self, phrase: str) -> dict[str, int]:
        return {}

    def best_with(self, phrase: str, label: str) -> Ranked:
        return []


def open_source(path: Path, phrases: Collection[str], *, marks: str = MARKS[0]) -> Source:
    """The paraphrases of a store or a file (three columns, PPDB, Moses); of a file those of the
    given phrases alone. `marks`: `words` leaves out paraphrases of marks alone, `other_words` also
    those that differ from their phrase in marks alone.

    Raises FileRefused.
    """
    source: Source
    if path.is_dir():
        source = open_phrases(path)
    elif has_features(path):
        source = features_store(path, wanted=phrases)
    else:
        source = _read_table(path, phrases)
    return source if marks == MARKS[0] else Worded(source, other=marks == MARKS[2])


def _read_table(path: Path, phrases: Collection[str]) -> TablePhrases:
    problems = Problems(path)
    rows: dict[str, dict[str, float]] = {}
    count = 0
    for number, cells in table_rows(path, problems, least=3, most=3):
        count += 1
        value = _probability(cells[2])
        if value is None:
            problems.add(
                number,
                say(
                    "%(value)s is not a probability; use a number above 0, up to 1.", value=cells[2]
                ),
            )
            continue
        phrase, other = (" ".join(cell.split()) for cell in cells[:2])
        if phrase in phrases and phrase != other:
            paraphrases = rows.setdefault(phrase, {})
            paraphrases[other] = max(value, paraphrases.get(other, 0.0))
    problems.check()
    if not count:
        raise FileRefused.at(
            path, 0, say("has no paraphrase; write phrase TAB paraphrase TAB probability.")
        )
    return TablePhrases(
        {
            phrase: sorted(paraphrases.items(), key=lambda one: (-one[1], one[0]))
            for phrase, paraphrases in rows.items()
        }
    )


def _probability(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 < value <= 1 else None


# What a test set came to: how many phrases each cut-off left, and what each condition gave.


def figures(
    *,
    n_requested: int,
    every: int,
    candidates: Candidates,
    cuts: Cuts,
    used: Cuts,
    items: Sequence[BuiltItem],
) -> dict[str, Any]:
    """The figures as JSON.

    asked, every   phrases asked for, and all phrases of the sentences
    removed        phrases that each cut-off removed, in their order
    cut_offs       those that were used; train_least is None without a training text
    lowered        [name, before, now] of those that were lowered, because too few phrases passed
    phrases, items, texts   what was drawn; texts are distinct paraphrases of an item
    coverage       items for which a system gave a paraphrase, by system
    """
    train = candidates.train is not None
    lowered = [
        [name, getattr(cuts, name), getattr(used, name)]
        for name in ("test_least", "train_least")
        if getattr(cuts, name) != getattr(used, name) and (train or name == "test_least")
    ]
    coverage: dict[str, int] = {}
    for item in items:
        for one in item.outputs:
            if one.rank == 1:
                given = one.choice is not None
                coverage[one.system] = coverage.get(one.system, 0) + given
    return {
        "asked": n_requested,
        "every": every,
        "removed": dict(candidates.removed),
        "cut_offs": {
            "min_words": used.min_words,
            "max_words": used.max_words,
            "test_least": used.test_least,
            "test_most": used.test_most,
            "train_least": used.train_least if train else None,
        },
        "lowered": lowered,
        "phrases": len({item.drawn.phrase for item in items}),
        "items": len(items),
        "texts": sum(len(item.by_text()) for item in items),
        "coverage": coverage,
    }
