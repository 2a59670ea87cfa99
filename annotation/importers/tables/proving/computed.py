"""Whether columns that are set aside as computed, by their names, are made of the judgments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import fsum
from statistics import fmean, median, multimode, pstdev, stdev

from annotation.importers.tables.mapping import IGNORE
from annotation.importers.tables.names import concepts, lexicon_plain_name
from annotation.importers.tables.profiles import Profile, computed_by_name, fits
from annotation.importers.tables.proving.proof import Findings, Proof
from annotation.importers.tables.proving.words import points_left
from paraanno.common.texts import shown

LEAST = 3  # texts with judgments
_MADE = frozenset({"mean", "median", "sd", "sum", "majority"})
_TEXTS = ("sentence", "phrase", "paraphrase", "start", "item")
Parts = Sequence[float]
_RULES: tuple[Callable[[Parts], float], ...] = (
    fmean,
    median,
    fsum,
    max,
    min,
    lambda parts: float(len(parts)),
    lambda parts: max(parts) - min(parts),
    lambda parts: stdev(parts) if len(parts) > 1 else 0.0,
    pstdev,
    # The share of those who gave the commonest value.
    lambda parts: parts.count(multimode(parts)[0]) / len(parts),
)


def not_made_of_judgments(proof: Proof) -> Findings:
    """Columns that are called a mean, a sum, a majority ... of which no arithmetic makes them of
    the judgments of the same text."""
    if not proof.values:
        return
    left = {one["column"] for one in points_left(proof)}
    for one in proof.columns(IGNORE):
        if shown(one.name) in left:
            continue
        profile = proof.profiles[one.column]
        named = concepts(one.name) & _MADE
        if not named or not profile.is_number or one.guess.ask or _is_agreement(one.name, profile):
            continue
        if one.guess.reason == computed_by_name(one.name) and not _is_made(proof, one.column):
            yield {"column": shown(one.name)}


def _is_agreement(name: str, profile: Profile) -> bool:
    """Whether a column is called a coefficient of agreement, and holds no points."""
    low, high = profile.lowest or 0.0, profile.highest or 0.0
    return "kappa" in lexicon_plain_name(name).split() and low >= -1 and high <= 1


def _is_made(proof: Proof, column: str) -> bool:
    groups = list(_groups(proof, column))
    if len(groups) < LEAST:
        return False
    by_rule = any(
        all(
            any(fits(value, rule(parts), text) for parts in several)
            for value, text, several in groups
        )
        for rule in _RULES
    )
    return by_rule or all(
        any(value in multimode(parts) for parts in several) for value, _, several in groups
    )


def _groups(proof: Proof, column: str) -> Iterator[tuple[float, str, list[list[float]]]]:
    """Yield the value of each text in a column, as it is printed too, with the judgments of that
    text: of each scale, of all, and those of each row."""
    own = proof.profiles[column]
    texts = [proof.profiles[one.column].texts for one in proof.columns(*_TEXTS)]
    judged = [(proof.scale_of(one), proof.profiles[one.column].values) for one in proof.values]
    by_text: dict[tuple[str, ...], dict[str, list[float]]] = {}
    keys = list(zip(*texts, strict=True))
    for at, key in enumerate(keys):
        scales = by_text.setdefault(key, {})
        for scale, values in judged:
            if (value := values[at]) is not None:
                scales.setdefault(scale, []).append(value)
    for at, key in enumerate(keys):
        value = own.values[at]
        row = [number for _, values in judged if (number := values[at]) is not None]
        scales = by_text[key]
        several = [*scales.values(), [one for each in scales.values() for one in each], row]
        several = [one for one in several if one]
        if value is not None and several:
            yield value, own.texts[at], several
