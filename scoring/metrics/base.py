"""What every metric is: options in the constructor, pairs in, scores and a signature out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from scoring.metrics.values import (
    AGAINST,
    AGAINST_ORIGINAL,
    MADE_EARLIER,
    YES_NO,
    Kind,
    Option,
    Pair,
    Score,
    Signature,
    Vector,
    add_vectors,
    mean_score,
    references_option,
    state_hash,
)

__all__ = [
    "AGAINST",
    "AGAINST_ORIGINAL",
    "MADE_EARLIER",
    "YES_NO",
    "Kind",
    "Known",
    "Metric",
    "Option",
    "Pair",
    "Score",
    "Signature",
    "Vector",
    "add_vectors",
    "mean_score",
    "references_option",
    "state_hash",
]

Known = TypeVar("Known")
# Pairs of one original may have as many references as there are pairs.
MOST_KNOWN = 100
NOT_SCORED = Score.undefined("This text was not scored.")


def by_original(pairs: Sequence[Pair]) -> Iterable[list[int]]:
    """The places of the pairs, those of one original together."""
    places: dict[str, list[int]] = {}
    for at, pair in enumerate(pairs):
        places.setdefault(pair.original, []).append(at)
    return places.values()


class Metric(ABC, Generic[Known]):
    """A metric with its options. Immutable apart from `use(state)`; safe to call repeatedly.

    A subclass names itself, lists its options, and supplies `_know` (what is made once for an
    original, such as its n-grams) and `_score` (one paraphrase against that). A metric whose
    system score is no mean of text scores sets `system_kind` to "corpus" and overrides
    `corpus_statistics` and `corpus_value`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str] = "other"  # What it looks at; see FAMILIES in registry.py.
    version: ClassVar[str] = "1"  # Raise it when the formula changes: scores stop being reused.
    higher_is_better: ClassVar[bool] = True
    percent: ClassVar[bool] = False  # 100 stands for the 1 of other metrics.
    system_kind: Kind = "mean"
    longest: ClassVar[int] = 100_000  # Characters of a text; a longer one gets no score.
    needs_state: bool = False  # Of the class, or set by an option.
    chunk_size: int = 500  # Texts that a worker scores in one go: well under 5 seconds.
    grouped: bool = False  # Looks at `Pair.group`, all paraphrases of one original.
    keeps_detail: ClassVar[bool] = False  # The item page shows `Score.detail`: runs store it.
    queue: str = ""  # "korean" or "neural" for what needs much memory; options may set it.
    OPTIONS: ClassVar[tuple[Option, ...]] = (AGAINST,)

    def __init__(self, **options: Any) -> None:
        """Options not given take their defaults; an unknown name or value raises ValueError."""
        known = {option.name: option for option in self.OPTIONS}
        for name in options:
            if name not in known:
                raise ValueError(
                    f"{self.name}: unknown option {name}; it takes {', '.join(sorted(known))}."
                )
        self.options: Mapping[str, str] = {
            name: option.read(self.name, options.get(name, option.default))
            for name, option in known.items()
        }
        self.against = self.options.get("against", "original")
        self.state: Any = None
        self._state_hash = ""
        if "ko" in (self.options.get("lang"), self.options.get("tokenize")):
            self.queue = "korean"  # The analyser takes 510 MB.
        if self.references != "multi":
            self.system_kind = "mean"  # Corpus scores of several references have no best or mean.

    @property
    def references(self) -> str:
        return self.options.get("references", "multi")

    def targets(self, pair: Pair) -> tuple[str, ...]:
        """The texts the paraphrase is compared with; empty where the row has none of them."""
        against = self.against
        if against == "original" or (against == "auto" and not pair.references):
            return (pair.original,)
        if against == "both":
            return (pair.original, *pair.references)
        return pair.references

    def versions(self) -> dict[str, str]:
        """Versions of the libraries that the number depends on."""
        return {}

    def resources(self) -> dict[str, str]:
        """SHA-256 of each file that the number depends on, by option name."""
        return {}

    @classmethod
    def lacking(cls) -> str:
        """What this machine lacks for the metric whatever its options, with the remedy; empty
        (the default) for nothing."""
        return ""

    def load(self) -> None:  # noqa: B027 - most metrics need no file
        """Read the files that the options name, once per process; scoring does it otherwise.

        Raises ValueError (a FileRefused with its lines) where a file is not as it should be.
        """

    def prepare(self, pairs: Iterable[Pair]) -> Any:
        """What must be counted over a whole campaign before one pair can be scored, as JSON.

        None (the default) where nothing is needed. Pairs of one original come one after another.
        """
        return None

    def use(self, state: Any) -> None:
        """Take the state that `prepare` made, here or in another process.

        A metric that keeps what it needs of it in another form may let go of `state`.
        """
        self.state = state
        self._state_hash = state_hash(state)

    def signature(self) -> Signature:
        resources = self.resources()  # A file is known by its content, not by its name.
        return Signature(
            metric=self.name,
            options=tuple((k, v) for k, v in self.options.items() if k not in resources),
            resources=tuple(resources.items()),
            state=self._state_hash,
            versions=(*self.versions().items(), (f"{self.name}-formula", self.version)),
        )

    def score(self, pair: Pair) -> Score:
        """The score of one pair; undefined, with the reason, where the formula has no value."""
        return self.score_many([pair])[0]

    def score_many(self, pairs: Sequence[Pair]) -> list[Score]:
        """Scores in the order of `pairs`; what depends on an original alone is made once."""
        self.check_prepared()
        scores = [NOT_SCORED] * len(pairs)
        score = self._score_pair
        for places in by_original(pairs):
            # Thrown away with its original: of many it would fill the caches of the processor.
            known: dict[tuple[str, ...], Known] = {}
            for at in places:
                scores[at] = score(pairs[at], known)
        return scores

    def check_prepared(self) -> None:
        """Raise ValueError where the metric needs a state that it was not given."""
        if self.needs_state and not self._state_hash:
            raise ValueError(f"{self.name}: prepare the whole set of pairs before scoring one.")

    def score_and_statistics(
        self, pairs: Sequence[Pair]
    ) -> tuple[list[Score], list[Vector | None]]:
        """What `score_many` gives and, of a corpus metric, `corpus_statistics` (else None)."""
        scores = self.score_many(pairs)
        if self.system_kind == "mean":
            return scores, [None] * len(scores)
        return scores, self.corpus_statistics(pairs)

    def _score_pair(self, pair: Pair, known: dict[tuple[str, ...], Known]) -> Score:
        targets, paraphrase = self.targets(pair), pair.paraphrase
        refusal = self.refusal(targets, paraphrase)
        if refusal:
            return Score.undefined(refusal)
        if len(targets) == 1 or self.references == "multi":
            return self._score(self.known(targets, known), paraphrase)
        return self._of_several(
            [self._score(self.known((target,), known), paraphrase) for target in targets]
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

    def known(self, targets: tuple[str, ...], cache: dict[tuple[str, ...], Known]) -> Known:
        """What `_know` makes of the texts, made once."""
        found = cache.get(targets)
        if found is None:
            if len(cache) >= MOST_KNOWN:
                cache.clear()
            found = cache[targets] = self._know(targets)
        return found

    def refusal(self, targets: tuple[str, ...], paraphrase: str) -> str:
        """Why these texts cannot be compared by any formula; empty where they can."""
        if not targets:
            return "There is no reference."
        length = len(targets[0]) if len(targets) == 1 else max(map(len, targets))
        if length <= self.longest and len(paraphrase) <= self.longest:
            return ""
        for what, most in (("The paraphrase", len(paraphrase)), ("The text compared with", length)):
            if most > self.longest:
                return (
                    f"{what} has {most:,} characters: {self.name} compares at most "
                    f"{self.longest:,}."
                )
        return ""

    def corpus_statistics(self, pairs: Sequence[Pair]) -> list[Vector | None]:
        """What each pair adds to a corpus score; None for a pair that cannot be compared.

        Vectors of one length that are added up, so that a text that many systems share is
        analysed once, and resampling only adds small vectors again.
        """
        raise ValueError(f"{self.name} has no corpus score: a system's score is the mean.")

    def corpus_value(self, total: Vector) -> Score:
        """The corpus score from the sum of the vectors of `corpus_statistics`."""
        raise ValueError(f"{self.name} has no corpus score: a system's score is the mean.")

    def corpus_score(self, pairs: Sequence[Pair]) -> Score:
        """One score over all pairs of a system; only where `system_kind` is "corpus"."""
        return self.corpus_value(add_vectors(self.corpus_statistics(pairs)))

    @abstractmethod
    def _know(self, targets: tuple[str, ...]) -> Known:
        """What is needed from the texts compared with (one or more)."""

    @abstractmethod
    def _score(self, known: Known, paraphrase: str) -> Score:
        """The score of one paraphrase."""
