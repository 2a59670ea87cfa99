"""Inputs and outputs of metrics: pairs, options, scores, signatures; and the languages that a
metric reads.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from math import isfinite
from operator import add
from typing import Any, Literal, Protocol

from paraanno.common.cells import known_tag, primary
from paraanno.common.texts import NOTHING, Sentence, joined, say

Kind = Literal["corpus", "mean"]
Vector = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """One paraphrase, the text it paraphrases, and the reference texts (blank ones left out).

    `group` holds the distinct paraphrases of the same original, including this one. `language` is
    a tag of BCP 47; empty if unknown.
    """

    original: str
    paraphrase: str
    references: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """A finite number, or None with the reason why it is undefined; never both, never neither.

    `detail` holds the metric's explanation of the score, ready for JSON.
    """

    value: float | None
    reason: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        value = self.value
        if (value is None) != bool(self.reason):
            raise ValueError("A score has either a value or a reason.")
        if value is not None and not isfinite(value):
            raise ValueError(f"A score must be a finite number, not {value}.")

    @classmethod
    def undefined(cls, reason: str) -> Score:
        return cls(None, reason)


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a metric. `values` lists the texts allowed; if empty, whole numbers from
    `least` to `most` are allowed."""

    name: str
    default: str
    summary: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = 0

    def read(self, metric: str, given: object) -> str:
        """The canonical text of a given value; ValueError names the values allowed."""
        text = {True: "yes", False: "no"}[given] if isinstance(given, bool) else str(given).strip()
        if set(YES_NO) <= set(self.values):
            text = _YES_NO_WORDS.get(text.lower(), text)
        if self.values:
            if text in self.values:
                return text
            raise ValueError(
                say(
                    "%(metric)s: %(option)s=%(value)s is not allowed; use %(allowed)s.",
                    metric=metric,
                    option=self.name,
                    value=text,
                    allowed=", ".join(self.values),
                )
            )
        if text.isascii() and text.isdigit() and self.least <= int(text) <= self.most:
            return str(int(text))
        raise ValueError(
            say(
                "%(metric)s: %(option)s=%(value)s is not allowed; use a whole number from "
                "%(low)s to %(high)s.",
                metric=metric,
                option=self.name,
                value=text,
                low=self.least,
                high=self.most,
            )
        )


YES_NO = ("yes", "no")
MADE_EARLIER = say("This run was made by an earlier version of the software: start a new one.")
_YES_NO_WORDS = {"true": "yes", "1": "yes", "false": "no", "0": "no", "yes": "yes", "no": "no"}

AGAINST = Option(
    "against",
    "auto",
    say(
        "What the paraphrase is compared with; auto takes the references if every text has one and "
        "the original if none has; mixed takes the references where there are any, else the "
        "original."
    ),
    ("auto", "original", "references", "both", "mixed"),
)
AGAINST_ORIGINAL = Option(
    "against", "original", say("This metric always compares with the original."), ("original",)
)

_REFERENCES = {
    "multi": say("multi uses them together as the metric defines it"),
    "max": say("max takes the best score (the lowest where lower is better)"),
    "mean": say("mean takes the mean of the scores"),
}


def references_option(*values: str) -> Option:
    """The option for several references; the first of `values` is the default."""
    ways = joined("; ", [_REFERENCES[value] for value in values])
    return Option(
        "references", values[0], say("With several references: %(ways)s.", ways=ways), values
    )


@dataclass(frozen=True, slots=True)
class Signature:
    """Everything that must be equal for two scores to be comparable; `str()` is its stable text.

    `resources` holds SHA-256 by option name, `state` the SHA-256 of the prepared state, and
    `versions` the versions of the metric's formula and of its libraries.
    """

    metric: str
    options: tuple[tuple[str, str], ...] = ()
    resources: tuple[tuple[str, str], ...] = ()
    state: str = ""
    versions: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        parts = [self.metric]
        parts += [f"{_plain(name)}:{_plain(value)}" for name, value in sorted(self.options)]
        parts += [f"{_plain(name)}@{_plain(value)}" for name, value in sorted(self.resources)]
        parts += [f"state@{self.state}"] if self.state else []
        parts += [f"{_plain(name)}={_plain(value)}" for name, value in sorted(self.versions)]
        return "|".join(parts)


def _plain(text: str) -> str:
    """Percent-escape the delimiters of a signature, so that no two look the same."""
    for mark in "%|:@=":
        text = text.replace(mark, f"%{ord(mark):02X}")
    return text


NO_SCORES = Score.undefined(say("No text of this system has a score."))


def mean_score(scores: Iterable[Score]) -> tuple[Score, int]:
    """The mean of the defined scores, and their number."""
    values = [score.value for score in scores if score.value is not None]
    if not values:
        return NO_SCORES, 0
    return Score(sum(values) / len(values)), len(values)


def add_vectors(vectors: Iterable[Vector | None]) -> Vector:
    """The elementwise sum of those that are not None; empty for none."""
    total: Vector = ()
    for vector in vectors:
        if vector is not None:
            total = tuple(map(add, total, vector)) if total else vector
    return total


def state_hash(state: Any) -> str:
    """SHA-256 of a prepared state in its canonical JSON form; empty for no state."""
    if state is None:
        return ""
    text = json.dumps(state, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


# How a metric that is made of others shows its parts, in `Score.detail["parts"]`.


PartRow = list[str | float]


def part_row(name: str, score: float, term: float, weight: float) -> PartRow:
    """A part: its name, its score as in a column of its own, what that becomes in the formula (the
    same number, or scaled), and the weight of that."""
    return [name, score, term, weight]


# What texts were compared with: how many met the original, how many met references, and how many
# references those had.


# Number of texts by number of references.
Counts = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Met:
    """Numbers of texts by what they were compared with; a text that met both counts in both.

    `least` and `most` are the numbers of references of the texts that met any, 0 if none did.
    `neither` counts texts that have no score for want of them, or were compared with each other.
    """

    original: int = 0
    references: int = 0
    neither: int = 0
    least: int = 0
    most: int = 0

    @property
    def number(self) -> str:
        """The number of references of a text that met any: 1, or 1-3."""
        return f"{self.least}-{self.most}" if self.least != self.most else f"{self.most}"

    def __str__(self) -> str:
        """Its parts of a signature."""
        parts = [
            f"nrefs:{self.number}",
            f"met_original:{self.original}",
            f"met_references:{self.references}",
        ]
        return "|".join([*parts, f"met_neither:{self.neither}"] if self.neither else parts)

    def as_json(self) -> dict[str, int]:
        """The numbers by name."""
        return asdict(self)


def reference_counts(pairs: Iterable[Pair]) -> Counts:
    """Number of pairs by number of references."""
    return Counter(len(pair.references) for pair in pairs)


def met_by(meets: Callable[[int], tuple[bool, int]], counts: Counts) -> Met:
    """Count the texts by what `meets` says for their number of references (`Metric.meets`)."""
    original = references = neither = 0
    numbers = set()
    for number, texts in counts.items():
        with_original, read = meets(number)
        original += texts if with_original else 0
        references += texts if read else 0
        neither += 0 if with_original or read else texts
        numbers |= {read} if read and texts else set()
    return Met(original, references, neither, min(numbers, default=0), max(numbers, default=0))


def mixture(counts: Counts) -> str:
    """Why `against=auto` has no single meaning for these texts; empty if it has one."""
    without = counts.get(0, 0)
    with_references = sum(counts.values()) - without
    if not (with_references and without):
        return ""
    return say(
        "%(known)s texts have references and %(without)s have none, and a score against the "
        "original is not one against a reference. Choose against=references (texts without one "
        "get no score), against=original, or against=mixed (each text with what it has).",
        known=with_references,
        without=without,
    )


# Names that a user may have meant by one that does not exist.


MOST = 3
# What other programs and papers call a metric, as `_bare` leaves it.
_ALSO_CALLED = {
    "levenshtein": "edit_similarity",
    "sacrebleu": "bleu",
    "sbert": "sentence_cosine",
    "sentencebert": "sentence_cosine",
    "wordmoversdistance": "wmd",
}


def _bare(name: str) -> str:
    """The name without case and punctuation; `chrF++` is written `chrfpp` here."""
    return "".join(filter(str.isalnum, name.lower().replace("+", "p")))


def suggestions(name: str, names: Iterable[str]) -> list[str]:
    """Those of `names` that are meant most probably, best first; empty if none is like it."""
    by_bare: dict[str, list[str]] = {}
    for one in names:
        by_bare.setdefault(_bare(one), []).append(one)
    wanted = _bare(name)
    other = _ALSO_CALLED.get(wanted, "")
    if other and _bare(other) in by_bare:
        return [other]
    if wanted in by_bare:
        return by_bare[wanted]
    near = get_close_matches(wanted, sorted(by_bare), n=MOST, cutoff=0.7)
    return [one for bare in near for one in by_bare[bare]][:MOST]


def with_suggestion(problem: Sentence, name: str, names: Iterable[str]) -> Sentence:
    """The problem, behind the question whether another name is meant if one is like it."""
    alternatives = suggestions(name, names)
    if not alternatives:
        return problem
    return say(
        "Did you mean %(names)s? %(problem)s", names=", ".join(alternatives), problem=problem
    )


# Metrics that are made for certain languages: which one they read, and whether texts are in it.


TEXTS = "texts"  # The value of `lang` that takes the language from the texts.
# Languages that ISO 639-3 counts as Chinese (zho).
_CHINESE = "cdo cjy cmn cpx czh czo gan hak hsn lzh mnp nan wuu yue".split()  # noqa: SIM905


class Reader(Protocol):
    """What is asked of a metric here."""

    @property
    def name(self) -> str: ...

    @property
    def undecided(self) -> bool: ...

    def choices(self) -> tuple[str, ...]: ...

    def reads(self) -> tuple[str, ...]: ...


def lang_option(*values: str, summary: Sentence) -> Option:
    """The option `lang` of a metric that reads these languages."""
    return Option("lang", TEXTS, summary, (TEXTS, *values))


def same_language(own: str, tag: str) -> bool:
    """Whether a text with this tag is in a metric's language: `pt-BR` is in `pt`, `yue` in `zh`."""
    language = primary(tag)
    return language == own or (own == "zh" and language in _CHINESE)


def decided(
    option: Option | None, options: Mapping[str, str], languages: Iterable[str]
) -> dict[str, str]:
    """The options with `lang` set, if it follows the texts and they have one language that the
    metric reads; else unchanged."""
    given = dict(options)
    if option is None or given.get(option.name, option.default) != TEXTS:
        return given
    read = {own for tag in languages for own in option.values if same_language(own, tag)}
    return given | {option.name: read.pop()} if len(read) == 1 else given


def refusal(metric: Reader, language: str) -> str:
    """Why the metric gives no score to a text in this language; empty if it gives one."""
    if metric.undecided:
        return say(
            "%(metric)s needs the language of the texts: lang= says which it reads.",
            metric=metric.name,
        )
    for own in metric.reads():
        if known_tag(language) and not same_language(own, language):
            return say(
                "The text is in %(language)s, and %(metric)s reads %(own)s here.",
                language=language,
                metric=metric.name,
                own=own,
            )
    return ""


def language_problem(metric: Reader, languages: Sequence[str]) -> Sentence:
    """Why the metric cannot score any text in these languages (empty: unknown), with the remedy;
    empty if it can score some."""
    tags = [tag for tag in languages if known_tag(tag)]
    if metric.undecided:
        reads = ", ".join(f"lang={one}" for one in metric.choices())
        if not tags:
            return say(
                "%(metric)s needs the language of the texts, which is unknown: write %(reads)s, or "
                "name their language (on the campaign's page, or in a column language).",
                metric=metric.name,
                reads=reads,
            )
        return say(
            "%(metric)s must be told which language it reads, as the texts are in %(languages)s: "
            "write %(reads)s.",
            metric=metric.name,
            languages=", ".join(tags),
            reads=reads,
        )
    if len(tags) < len(languages):
        return NOTHING  # Texts of unknown language are taken to be in the one that is named.
    for own in metric.reads():
        if tags and not any(same_language(own, tag) for tag in tags):
            return say(
                "%(metric)s reads texts in %(own)s here, and the texts are in %(languages)s.",
                metric=metric.name,
                own=own,
                languages=", ".join(tags),
            )
    return NOTHING
