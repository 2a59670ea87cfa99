"""N-best lists: the realisations of an original, each with its model score; and a generator's own
scores beside a metric (White 2012): model + metric, approximated HTER.
"""

from __future__ import annotations

import json
import unicodedata
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from paraanno.common.texts import say
from scoring.metrics.base import DecimalOption, Metric
from scoring.metrics.files import FileOption, FileRefused, Problems, sha256, table_rows, text_lines
from scoring.metrics.registry import create, metric_class
from scoring.metrics.resources.stores import (
    About,
    TextIndex,
    index_of,
    mapped,
    mapped_index,
    packed,
)
from scoring.metrics.texts.tokenizers import FOLD, WORD_CUT, Tokens, tokens, versions
from scoring.metrics.values import AGAINST, Option, Pair, PartRow, Score, part_row

# N-best lists.


NBEST = FileOption(
    "nbest",
    "",
    say(
        "It names n-best lists: original TAB realisation TAB model score, JSON Lines of the "
        "same, or a store made from one."
    ),
    kind="nbest",
)
COLUMNS = ("original", "realisation", "score")
_ABOUT = About(
    frozenset({"items", "realisations"}),
    say("is not a store of n-best lists; create it again."),
    say("is not of n-best lists; create the store again."),
)
Row = tuple[str, str, float]
Lists = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class NBest:
    """The realisations of original number n are those from `offsets[n]` to `offsets[n + 1]`, the
    best score first. `scores` are scaled from 0 (the least of all lists) to 1 (the greatest)."""

    originals: TextIndex
    offsets: NDArray[np.int64]
    scores: NDArray[np.float64]
    starts: NDArray[np.int64]
    text: NDArray[np.uint8]

    def of(self, original: str) -> list[tuple[str, float]]:
        """The realisations of an original with their scores; empty if there is no list."""
        (at,) = self.originals.find([plain(original)])
        if at < 0:
            return []
        return [
            (self._realisation(row), float(self.scores[row]))
            for row in range(int(self.offsets[at]), int(self.offsets[at + 1]))
        ]

    def _realisation(self, row: int) -> str:
        raw = self.text[self.starts[row] : self.starts[row + 1]].tobytes()
        return raw.decode("utf-8", "surrogatepass")


def plain(text: str) -> str:
    """The text with normalised spaces, the key of originals."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _loaded(place: Path, content: str) -> NBest:
    return _mapped(place) if place.is_dir() else _build(read_lists(place))


load_nbest = _ABOUT.cached(_loaded)
nbest_sha256 = _ABOUT.sha256


def read_lists(path: Path) -> Lists:
    """Originals, their realisations and scores; a repeated realisation keeps its greater score.

    Raises FileRefused with a line for each problem, and if all scores are equal, so that they
    cannot be scaled.
    """
    problems = Problems(path)
    lists: Lists = defaultdict(dict)
    for original, realisation, score in _rows(path, problems):
        realisations = lists[plain(original)]
        text = plain(realisation)
        realisations[text] = max(score, realisations.get(text, score))
    problems.check()
    if len({score for realisations in lists.values() for score in realisations.values()}) < 2:
        raise FileRefused.at(path, 0, say("has only equal scores, so they cannot be scaled."))
    return lists


def _rows(path: Path, problems: Problems) -> Iterator[Row]:
    first = next(text_lines(path, Problems(path)), (0, ""))[1]
    if first.lstrip().startswith("{") and "\t" not in first:
        yield from _json_rows(path, problems)
        return
    for number, cells in table_rows(path, problems, least=3, most=3):
        if tuple(cells) == COLUMNS:
            continue
        score = _score(cells[2])
        if score is None:
            problems.add(
                number, say("%(value)s is not a model score; use a finite number.", value=cells[2])
            )
        else:
            yield cells[0], cells[1], score


def _json_rows(path: Path, problems: Problems) -> Iterator[Row]:
    for number, line in text_lines(path, problems):
        try:
            parsed = json.loads(line)
        except (ValueError, RecursionError):
            problems.add(number, say("is not JSON; write one object per line."))
            continue
        row = parsed if isinstance(parsed, dict) else {}
        texts = [row.get(name) for name in COLUMNS[:2]]
        score = _score(row.get("score"))
        if score is None or not all(isinstance(text, str) and plain(text) for text in texts):
            problems.add(
                number,
                say("needs %(names)s: two texts and a finite number.", names=", ".join(COLUMNS)),
            )
        else:
            yield row["original"], row["realisation"], score


def _score(given: object) -> float | None:
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        return None
    try:
        number = float(given)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def _build(lists: Lists) -> NBest:
    originals, ids = index_of(list(lists))
    ordered = sorted(zip(ids.tolist(), lists.values(), strict=True), key=lambda one: one[0])
    rows = [
        (text, score)
        for _, realisations in ordered
        for text, score in sorted(realisations.items(), key=lambda row: (-row[1], row[0]))
    ]
    starts, text = packed(text.encode("utf-8", "surrogatepass") for text, _ in rows)
    scores = np.array([score for _, score in rows])
    low, high = scores.min(), scores.max()
    # Halved, so that the range does not overflow.
    scaled = (scores / 2 - low / 2) / (high / 2 - low / 2)
    offsets = np.cumsum([0, *(len(realisations) for _, realisations in ordered)], dtype=np.int64)
    return NBest(originals, offsets, scaled, starts, text)


def convert(source: Path, folder: Path, *, progress: Callable[[float], None]) -> dict[str, int]:
    """Make a store from a file, in a new or empty folder; `progress` gets the share done.

    Returns the numbers of originals and realisations. Raises FileRefused with a line for each
    problem.
    """
    store = _build(read_lists(source))
    progress(0.5)
    folder.mkdir(parents=True, exist_ok=True)
    store.originals.save(folder, "originals")
    for name in ("offsets", "scores", "starts", "text"):
        np.save(folder / f"{name}.npy", getattr(store, name), allow_pickle=False)
    counts = {"items": len(store.originals), "realisations": len(store.scores)}
    _ABOUT.write(folder, {"sha256": sha256(source), **counts})
    progress(1.0)
    return counts


def _mapped(folder: Path) -> NBest:
    about = _ABOUT.read(folder)
    store = NBest(
        originals=mapped_index(folder, "originals"),
        offsets=mapped(folder / "offsets.npy", np.int64),
        scores=mapped(folder / "scores.npy", np.float64),
        starts=mapped(folder / "starts.npy", np.int64),
        text=mapped(folder / "text.npy", np.uint8),
    )
    whole = (
        len(store.originals) == about["items"] == len(store.offsets) - 1
        and len(store.scores) == about["realisations"] == len(store.starts) - 1
        and store.offsets[-1] == len(store.scores)
        and store.starts[-1] == len(store.text)
    )
    if not whole:
        raise FileRefused.at(
            folder, 0, say("its files do not belong together; create the store again.")
        )
    return store


# Metrics.


_NO_LIST = say("There is no n-best list of this original.")
_NOT_IN_LIST = say("The paraphrase is not among the n-best realisations of this original.")
METRIC = Option(
    "metric",
    "bleu",
    say(
        "The metric that is added, from 0 to 1: those up to 100 are divided by 100, and TER "
        "becomes 1 - TER."
    ),
    ("bleu", "meteor", "ter", "chrf", "rouge_1", "rouge_2", "rouge_l"),
)

Candidates = list[tuple[str, Tokens, float]]  # Realisation, its words, its model score.


class ModelScored(Metric[Any]):
    """A subclass combines a metric's score with the n-best list of the original."""

    family = "combination"
    keeps_detail = True
    longest = 20_000
    OPTIONS: ClassVar[tuple[Option, ...]] = (AGAINST, NBEST, METRIC, WORD_CUT, FOLD)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._lowercase = self.options["lowercase"] == "yes"
        self._nbest: NBest | None = None

    @cached_property
    def inner(self) -> Metric[Any]:
        """The metric that is added, with its own defaults."""
        name = self.options["metric"]
        # METEOR reads one language only, so that there is nothing to choose.
        spoken = metric_class(name).in_languages({}, metric_class(name).languages)
        return create(name, {"against": self.options["against"], **spoken})

    def reads(self) -> tuple[str, ...]:
        return self.inner.reads()

    def language_refusal(self, language: str) -> str:
        return self.inner.language_refusal(language)

    @property
    def references(self) -> str:
        return self.inner.references

    @property
    def nbest(self) -> NBest:
        """The lists, loaded lazily."""
        if self._nbest is None:
            self._nbest = load_nbest(self.options["nbest"])
        return self._nbest

    def load(self) -> None:
        self._nbest = load_nbest(self.options["nbest"])
        self.inner.load()

    def versions(self) -> dict[str, str]:
        return {**versions(self.options["tokenize"]), "metric": str(self.inner.signature())}

    def resources(self) -> dict[str, str]:
        return {"nbest": nbest_sha256(self.options["nbest"])}

    def words(self, text: str) -> Tokens:
        """The words of a text."""
        return tokens(text, self.options["tokenize"], lowercase=self._lowercase)

    def refusal(self, targets: tuple[str, ...], paraphrase: str) -> str:
        return super().refusal(targets, paraphrase) or self.inner.refusal(targets, paraphrase)

    def _know(self, targets: tuple[str, ...]) -> Any:
        return self.inner._know(targets)

    def _score(self, target: Any, paraphrase: str) -> Score:
        score = self.inner._score(target, paraphrase)
        if score.value is None:
            return score
        value = score.value / 100 if self.inner.percent else score.value
        value = value if self.inner.higher_is_better else 1 - value
        return Score(value, detail={"own": score.value})

    def _score_pair(self, pair: Pair, cache: dict[tuple[str, ...], Any]) -> Score:
        metric = super()._score_pair(pair, cache)
        if metric.value is None:
            return metric
        candidates = [
            (text, words, score)
            for text, score in self.nbest.of(pair.original)
            if (words := self.words(text))
        ]
        if not candidates:
            return Score.undefined(_NO_LIST)
        combined = self._beside(candidates, self.words(pair.paraphrase), metric.value)
        if combined.value is None:
            return combined
        own = part_row(self.inner.name, metric.detail["own"], metric.value, 1.0)
        return replace(
            combined, detail={**combined.detail, "parts": [own, *_model_parts(combined.detail)]}
        )

    @abstractmethod
    def _beside(self, candidates: Candidates, words: Tokens, metric: float) -> Score:
        """The score of a paraphrase; `candidates` has at least one, best first."""


def _model_parts(detail: Mapping[str, Any]) -> list[PartRow]:
    """The parts that come from the model: none where the metric counts alone."""
    if detail.get("alone"):
        return []
    signs = {"model": 1.0, "edit_rate": -1.0}
    return [part_row(n, detail[n], detail[n], sign) for n, sign in signs.items() if n in detail]


class ModelMetric(ModelScored):
    """score = (model score - least of all lists) / (greatest - least) + metric."""

    name = "model_metric"
    title = "Model + metric"
    summary = say(
        "0 to 2, with TER also below 0: the model's score of the paraphrase, scaled to 0 to "
        "1, plus that of a metric. Only for texts in the model's n-best lists."
    )

    def _beside(self, candidates: Candidates, words: Tokens, metric: float) -> Score:
        for text, others, model in candidates:
            if others == words:
                detail = {"realisation": text, "model": model, "metric": metric}
                return Score(model + metric, detail=detail)
        return Score.undefined(_NOT_IN_LIST)


class ApproxHter(ModelScored):
    """The formula:

        score = model score, scaled to 0 to 1, - edit rate + metric
                or, where the edit rate is above max_edit_rate, metric

    The edit rate is the minimum number of insertions, deletions and substitutions of words, divided
    by the number of words of the realisation. The nearest realisation is the one with the lowest.
    """

    name = "approx_hter"
    title = "Approximated HTER"
    summary = say(
        "-0.5 to 2, with TER also lower: a metric, plus the model's score of the realisation "
        "nearest to the paraphrase, minus the edit rate to it. Far from all realisations "
        "only the metric counts."
    )
    OPTIONS = (
        *ModelScored.OPTIONS,
        DecimalOption(
            "max_edit_rate", "0.5", say("Above this edit rate the score is the metric alone.")
        ),
    )

    def versions(self) -> dict[str, str]:
        return super().versions() | {"rapidfuzz": version("rapidfuzz")}

    def _beside(self, candidates: Candidates, words: Tokens, metric: float) -> Score:
        rates = [Levenshtein.distance(others, words) / len(others) for _, others, _ in candidates]
        rate = min(rates)
        text, _, model = candidates[rates.index(rate)]  # Of equally near ones, the best.
        detail = {"realisation": text, "edit_rate": rate, "model": model, "metric": metric}
        if rate > float(self.options["max_edit_rate"]):
            return Score(metric, detail=detail | {"alone": True})
        return Score(model - rate + metric, detail=detail | {"alone": False})
