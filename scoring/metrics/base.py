"""The base class of metrics: options in the constructor, pairs in, scores and a signature out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar, Generic, TypeVar

from paraanno.common.texts import joined, say
from scoring.metrics.values import (
    AGAINST,
    TEXTS,
    Counts,
    Kind,
    Met,
    Option,
    Pair,
    Score,
    Signature,
    Vector,
    add_vectors,
    decided,
    met_by,
    mixture,
    reference_counts,
    refusal,
    state_hash,
    with_suggestion,
)

Analysis = TypeVar("Analysis")
# Cached analyses of one original: its pairs may each have other references.
MOST_KNOWN = 100
NOT_SCORED = Score.undefined(say("This text was not scored."))
NO_REFERENCE = say("There is no reference.")


def by_original(pairs: Sequence[Pair]) -> Iterable[list[int]]:
    """Group the indices of the pairs by original."""
    places: dict[str, list[int]] = {}
    for at, pair in enumerate(pairs):
        places.setdefault(pair.original, []).append(at)
    return places.values()


class Metric(ABC, Generic[Analysis]):
    """A metric with its options. Immutable apart from `use(state)`; safe to call repeatedly.

    A subclass sets its name and options, and supplies `_know` (the analysis made once per original,
    such as its n-grams) and `_score` (one paraphrase against that). A metric whose system score is
    not the mean of text scores sets `system_kind` to "corpus" and overrides `corpus_statistics` and
    `corpus_value`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str] = ""  # Shown in lists; default: the first paragraph of the docstring.
    family: ClassVar[str] = "other"  # What it compares; see FAMILIES in registry.py.
    version: ClassVar[str] = "1"  # Increase it when the formula changes: old scores do not return.
    higher_is_better: ClassVar[bool] = True
    percent: ClassVar[bool] = False  # On a scale to 100, not 1.
    system_kind: Kind = "mean"
    languages: ClassVar[tuple[str, ...]] = ()  # Those that it can read; empty: any.
    language: str = ""  # The one that it reads with its options; empty: any.
    undecided: bool = False  # `lang` follows the texts, and nobody has said what they are in.
    longest: ClassVar[int] = 100_000  # Characters of a text; a longer one gets no score.
    needs_state: bool = False  # Set by the class or by an option.
    chunk_size: int = 500  # Texts per chunk: scored in well under 5 seconds.
    grouped: bool = False  # Uses `Pair.group`, all paraphrases of one original.
    sentences_only: ClassVar[bool] = False  # Runs on phrases alone are refused.
    keeps_detail: ClassVar[bool] = False  # Runs store `Score.detail` for the item page.
    queue: str = ""  # "korean" or "neural" for metrics that need much memory; options may set it.
    OPTIONS: ClassVar[tuple[Option, ...]] = (AGAINST,)
    # What people call it with an option of this value, where that is another metric to them.
    NAMES: ClassVar[Mapping[tuple[str, str], str]] = {}
    decided: Mapping[str, str] = {}  # Options that were not given and that this machine decided,
    remark: str = ""  # and why, with the remedy.

    def __init__(self, **options: Any) -> None:
        """Missing options take their defaults; an unknown name or value raises ValueError."""
        by_name = {option.name: option for option in self.OPTIONS}
        for name in options:
            if name not in by_name:
                problem = say(
                    "%(metric)s: unknown option %(option)s; it takes %(names)s.",
                    metric=self.name,
                    option=name,
                    names=", ".join(sorted(by_name)),
                )
                raise ValueError(with_suggestion(problem, name, by_name))
        self.options: Mapping[str, str] = {
            name: option.read(self.name, options.get(name, option.default))
            for name, option in by_name.items()
        }
        self.against = self.options.get("against", "original")
        self.state: Any = None
        self._state_hash = ""
        named = self.options.get("lang") or self.options.get("tokenize")
        self.undecided = named == TEXTS
        if named in (*self.languages, "ko", "zh"):
            self.language = str(named)
        if "ko" in (self.options.get("lang"), self.options.get("tokenize")):
            self.queue = "korean"  # The analyser needs 510 MB.
        if self.references != "multi":
            # Best and mean over references are undefined for corpus scores.
            self.system_kind = "mean"

    @property
    def references(self) -> str:
        return self.options.get("references", "multi")

    def labelled(self, spec: str) -> str:
        """The spec, or a name given to it, with the options that this machine decided if the spec
        begins with the metric's name: other machines decide otherwise."""
        name, colon, rest = spec.partition(":")
        if name != self.name:
            return spec
        options = [rest] * bool(colon) + [f"{key}={value}" for key, value in self.decided.items()]
        return ":".join([name, *([",".join(options)] if options else [])])

    def targets(self, pair: Pair) -> tuple[str, ...]:
        """The texts to compare the paraphrase with; empty if the row has none."""
        against = self.against
        if against == "original" or (against in ("auto", "mixed") and not pair.references):
            return (pair.original,)
        if against == "both":
            return (pair.original, *pair.references)
        return pair.references

    def reads_references(self) -> bool:
        """Whether a score may depend on the references of a row."""
        return self.meets(1)[1] > 0

    def meets(self, references: int) -> tuple[bool, int]:
        """Whether a text with so many references is compared with its original, and with how many
        references. Override it together with `targets`."""
        original = self.against in ("original", "both") or (
            self.against in ("auto", "mixed") and not references
        )
        return original, 0 if self.against == "original" else references

    def met(self, counts: Counts) -> Met:
        """What texts are compared with; `counts` has their number by number of references.

        Raises ValueError if `against=auto` would compare some with their references and others
        with their original.
        """
        if self.is_auto() and (reason := mixture(counts)):
            raise ValueError(joined(": ", (self.name, reason)))
        return met_by(self.meets, counts)

    def is_auto(self) -> bool:
        """Whether having references decides, without that a mixture was asked for."""
        return self.against == "auto"

    @classmethod
    def in_languages(cls, options: Mapping[str, str], languages: Iterable[str]) -> dict[str, str]:
        """The options for texts in these languages: `lang` is set where it follows the texts."""
        option = next((one for one in cls.OPTIONS if one.name == "lang"), None)
        return decided(option, options, languages)

    def reads(self) -> tuple[str, ...]:
        """The languages of which texts must be to have a score; empty for any."""
        return (self.language,) if self.language else ()

    def choices(self) -> tuple[str, ...]:
        """The values of `lang` of which one must be chosen; empty if the metric is decided."""
        return self.languages if self.undecided else ()

    def language_refusal(self, language: str) -> str:
        """The reason why a text in this language has no score; empty if it has one.

        A text of unknown language is taken to be in the one that the options name.
        """
        return refusal(self, language)

    def versions(self) -> dict[str, str]:
        """Versions of the libraries that affect the score."""
        return {}

    def resources(self) -> dict[str, str]:
        """SHA-256 of each file that affects the score, by option name."""
        return {}

    @classmethod
    def lacking(cls) -> str:
        """What is missing on this machine for any options of the metric, with the remedy; empty
        (the default) if nothing is."""
        return ""

    def load(self) -> None:
        """Read the files named in the options, once per process; otherwise scoring does it.

        Raises ValueError (a FileRefused with its lines) if a file is invalid.
        """

    def prepare(self, pairs: Iterable[Pair]) -> Any:
        """Compute the state that scoring needs from all pairs of a campaign, as JSON.

        None (the default) if nothing is needed. Pairs of one original are adjacent.
        """
        return None

    def use(self, state: Any) -> None:
        """Set the state that `prepare` computed, in this or another process.

        A metric that keeps the state in another form may drop `state`.
        """
        self.state = state
        self._state_hash = state_hash(state)

    def signature(self) -> Signature:
        resources = self.resources()  # A file is identified by its content, not by its name.
        return Signature(
            metric=self.name,
            options=tuple((k, v) for k, v in self.options.items() if k not in resources),
            resources=tuple(resources.items()),
            state=self._state_hash,
            versions=(*self.versions().items(), (f"{self.name}-formula", self.version)),
        )

    def score(self, pair: Pair) -> Score:
        """The score of one pair; undefined, with a reason, if the formula has no value."""
        return self.score_many([pair])[0]

    def score_many(self, pairs: Sequence[Pair]) -> list[Score]:
        """Scores in the order of `pairs`; each original is analysed once."""
        self.check_prepared()
        scores = [NOT_SCORED] * len(pairs)
        score = self._score_pair
        for places in by_original(pairs):
            # Dropped after each original: kept for many, it would overflow the CPU caches.
            cache: dict[tuple[str, ...], Analysis] = {}
            for at in places:
                scores[at] = score(pairs[at], cache)
        return scores

    def check_prepared(self) -> None:
        """Raise ValueError if the metric needs a state and has none."""
        if self.needs_state and not self._state_hash:
            raise ValueError(f"{self.name}: prepare the whole set of pairs before scoring one.")

    def score_and_statistics(
        self, pairs: Sequence[Pair]
    ) -> tuple[list[Score], list[Vector | None]]:
        """The results of `score_many` and, for a corpus metric, `corpus_statistics` (else None)."""
        scores = self.score_many(pairs)
        if self.system_kind == "mean":
            return scores, [None] * len(scores)
        return scores, self.corpus_statistics(pairs)

    def _score_pair(self, pair: Pair, cache: dict[tuple[str, ...], Analysis]) -> Score:
        targets, paraphrase = self.targets(pair), pair.paraphrase
        refusal = self.language_refusal(pair.language) or self.refusal(targets, paraphrase)
        if refusal:
            return Score.undefined(refusal)
        if len(targets) == 1 or self.references == "multi":
            return self._score(self.analysed(targets, cache), paraphrase)
        return self._of_several(
            [self._score(self.analysed((target,), cache), paraphrase) for target in targets]
        )

    def _of_several(self, scores: Sequence[Score]) -> Score:
        """The best or the mean of the scores against each text; undefined ones are left out."""
        values = [score.value for score in scores if score.value is not None]
        if not values:
            return scores[0]
        if self.references == "mean":
            return Score(sum(values) / len(values))
        best = max(values) if self.higher_is_better else min(values)
        return next(score for score in scores if score.value == best)

    def analysed(
        self, targets: tuple[str, ...], cache: dict[tuple[str, ...], Analysis]
    ) -> Analysis:
        """The result of `_know` for the texts, cached."""
        result = cache.get(targets)
        if result is None:
            if len(cache) >= MOST_KNOWN:
                cache.clear()
            result = cache[targets] = self._know(targets)
        return result

    def refusal(self, targets: tuple[str, ...], paraphrase: str) -> str:
        """The reason why no formula can compare these texts; empty if they can be compared."""
        if not targets:
            return NO_REFERENCE
        length = len(targets[0]) if len(targets) == 1 else max(map(len, targets))
        if length <= self.longest and len(paraphrase) <= self.longest:
            return ""
        most = f"{self.longest:,}"
        if len(paraphrase) > self.longest:
            return say(
                "The paraphrase has %(n)s characters: %(metric)s compares at most %(most)s.",
                n=f"{len(paraphrase):,}",
                metric=self.name,
                most=most,
            )
        return say(
            "The text compared with has %(n)s characters: %(metric)s compares at most %(most)s.",
            n=f"{length:,}",
            metric=self.name,
            most=most,
        )

    def corpus_statistics(self, pairs: Sequence[Pair]) -> list[Vector | None]:
        """Statistics that each pair adds to a corpus score; None for a pair that cannot be
        compared.

        Vectors of equal length that are summed, so that a text shared by many systems is analysed
        once, and resampling only sums small vectors.
        """
        raise ValueError(f"{self.name} has no corpus score: a system's score is the mean.")

    def corpus_value(self, total: Vector) -> Score:
        """The corpus score from the sum of the vectors of `corpus_statistics`."""
        raise ValueError(f"{self.name} has no corpus score: a system's score is the mean.")

    def corpus_score(self, pairs: Sequence[Pair]) -> Score:
        """One score over all pairs of a system; only if `system_kind` is "corpus".

        Raises ValueError where `met` does.
        """
        self.met(reference_counts(pairs))
        return self.corpus_value(add_vectors(self.corpus_statistics(pairs)))

    @abstractmethod
    def _know(self, targets: tuple[str, ...]) -> Analysis:
        """Analyse the texts to compare with (one or more)."""

    @abstractmethod
    def _score(self, target: Analysis, paraphrase: str) -> Score:
        """The score of one paraphrase."""


# Base class of metrics whose corpus score comes from summed counts, not from text scores.


NO_WORDS = say("The paraphrase has no words.")
NO_WORDS_ORIGINAL = say("The original has no words.")
NO_WORDS_TARGET = say("The text compared with has no words.")
NOTHING = say("No text of this system has both words and a text to compare with.")


class CorpusMetric(Metric[Analysis]):
    """A subclass supplies `_statistics` (the counts of a text) and `_value` (the score of summed
    counts); one text is a corpus of size one."""

    system_kind: Kind = "corpus"
    WORDS_AT: ClassVar[int]  # Index of the paraphrase's length in the statistics.

    @abstractmethod
    def _statistics(self, target: Analysis, paraphrase: str) -> Vector | None:
        """Counts that are summed over a corpus; None if the text to compare with is empty."""

    @abstractmethod
    def _value(self, total: Vector) -> float:
        """The score of summed counts; the total length of the paraphrases is above 0."""

    def _score(self, target: Analysis, paraphrase: str) -> Score:
        return self._score_of(self._statistics(target, paraphrase))

    def _score_of(self, statistics: Vector | None) -> Score:
        if statistics is None:
            return Score.undefined(NO_WORDS_TARGET)
        if not statistics[self.WORDS_AT]:
            return Score.undefined(NO_WORDS)
        return Score(self._value(statistics))

    def score_and_statistics(
        self, pairs: Sequence[Pair]
    ) -> tuple[list[Score], list[Vector | None]]:
        """Scores and statistics from one pass over the texts."""
        if self.system_kind == "mean":
            return super().score_and_statistics(pairs)
        self.check_prepared()
        outcomes = self._refused_or_counted(pairs)
        scores = [
            Score.undefined(one) if isinstance(one, str) else self._score_of(one)
            for one in outcomes
        ]
        return scores, [None if isinstance(one, str) else one for one in outcomes]

    def corpus_statistics(self, pairs: Sequence[Pair]) -> list[Vector | None]:
        outcomes = self._refused_or_counted(pairs)
        return [None if isinstance(one, str) else one for one in outcomes]

    def _refused_or_counted(self, pairs: Sequence[Pair]) -> list[str | Vector | None]:
        """For each pair the reason why it cannot be compared, else its statistics."""
        outcomes: list[str | Vector | None] = [None] * len(pairs)
        for places in by_original(pairs):
            cache: dict[tuple[str, ...], Analysis] = {}
            for at in places:
                targets, text = self.targets(pairs[at]), pairs[at].paraphrase
                outcomes[at] = (
                    self.language_refusal(pairs[at].language)
                    or self.refusal(targets, text)
                    or self._statistics(self.analysed(targets, cache), text)
                )
        return outcomes

    def corpus_value(self, total: Vector) -> Score:
        if not total or not total[self.WORDS_AT]:
            return Score.undefined(NOTHING)
        return Score(self._value(total))


# Decimal options of metrics.


@dataclass(frozen=True, slots=True)
class DecimalOption(Option):
    """A number from `low` to `high`, inclusive."""

    low: float = 0.0
    high: float = 1.0

    def read(self, metric: str, given: object) -> str:
        """The shortest text of the number; ValueError for anything else."""
        try:
            number = float(str(given))
        except ValueError:
            number = float("nan")
        if not (isfinite(number) and self.low <= number <= self.high):
            raise ValueError(
                say(
                    "%(metric)s: %(option)s=%(value)s is not allowed; use a number from %(low)s to "
                    "%(high)s.",
                    metric=metric,
                    option=self.name,
                    value=given,
                    low=f"{self.low:g}",
                    high=f"{self.high:g}",
                )
            )
        return f"{number:.12g}"
