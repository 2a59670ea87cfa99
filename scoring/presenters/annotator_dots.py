"""Annotators beside each other as pictures: how severe they are, and how far they agree with the
rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from annotation.presenters.charts import DotChart, DotRow
from paraanno.translated import translated
from scoring.stats.annotators.catalogue import CATALOGUE
from scoring.stats.annotators.json_types import KnownAnnotator, StatisticJson

MOST = 40  # More are a table.
WITH_THE_REST = ("correlation", "agreement")  # The first that the scale has.
NAMED = {one.key: one for one in CATALOGUE}


class PicturedAnnotator(KnownAnnotator):
    """A row of the table, as far as a picture reads it."""

    numbers: dict[str, StatisticJson]


@dataclass(frozen=True, slots=True)
class AnnotatorPicture:
    """One number of all annotators, and what it says."""

    key: str
    title: str
    told: str
    chart: DotChart


def annotator_pictures(
    rows: Sequence[PicturedAnnotator], url: Callable[[UUID], str]
) -> list[AnnotatorPicture]:
    """Severity around 0, the lowest first, and agreement with the rest, the lowest first; without
    those who have no value. Of more than MOST the ones furthest out, or lowest, are drawn."""
    found = []
    severity = _dots(rows, "severity", url, signed=True)
    if severity:
        furthest = sorted(severity, key=lambda row: -abs(row.value or 0.0))[:MOST]
        drawn = sorted(furthest, key=lambda row: row.value or 0.0)
        told = _("Hollow: the interval contains 0, so no difference is detected.")
        found.append(_picture("severity", DotChart.of(drawn, refs=(0.0,)), told))
    for key in WITH_THE_REST:
        rest = sorted(_dots(rows, key, url, signed=False), key=lambda row: row.value or 0.0)
        if rest:
            found.append(_picture(key, DotChart.of(rest[:MOST], most=1.0), ""))
            break
    return found


def _picture(key: str, chart: DotChart, told: str) -> AnnotatorPicture:
    number = NAMED[key]
    return AnnotatorPicture(
        key, translated(number.label), f"{translated(number.says)} {told}".strip(), chart
    )


def _dots(
    rows: Sequence[PicturedAnnotator], key: str, url: Callable[[UUID], str], *, signed: bool
) -> list[DotRow]:
    dots = []
    for row in rows:
        number = row["numbers"].get(key)
        if number is None or number["value"] is None:
            continue
        low, high = number.get("ci_low"), number.get("ci_high")
        within = signed and low is not None and high is not None and low <= 0 <= high
        dots.append(
            DotRow(
                row["code"], number["value"], low, high, hollow=within,
                url=url(UUID(str(row["key"]))), sign=signed, bounded=not signed,
            )
        )  # fmt: skip
    return dots
