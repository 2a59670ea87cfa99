"""The rows of gold, of the matrix of ratings, and of Callison-Burch evaluation files."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from django.db.models import Min

from annotation.exporters import (
    CcbRow,
    annotator_key,
    gold_columns,
    matrix_columns,
)
from annotation.models import Campaign, Item, Judgment, Output, Substitution
from scoring.selectors.export_parts import Row, grouped, item_parts, texts_of
from scoring.selectors.exports import Export
from scoring.selectors.outcomes import GoldColumn, gold_passes
from scoring.selectors.outcomes import gold_columns as gold_of
from scoring.selectors.ratings import Items, ratings_get

PHRASES = 200


def golds(*, campaign: Campaign) -> Export:
    """One row per text in force: the mean of each scale, and imported gold where nobody judged.

    `pass` says whether these values reach every threshold.
    """
    names = list(campaign.scales.order_by("position").values_list("name", flat=True))
    return Export(gold_columns(names), _gold_rows(campaign, names))


def _gold_rows(campaign: Campaign, names: list[str]) -> Iterator[Row]:
    for part in item_parts(campaign):
        texts = texts_of(part, role=Substitution.Role.OUTPUT)
        ratings = ratings_get(campaign=campaign, items=part.query)
        columns = gold_of(campaign=campaign, ratings=ratings, items=part.query)
        passed = gold_passes(columns=columns, ratings=ratings)
        units = {pk: unit for unit, pk in enumerate(ratings.units.tolist())}
        makers = _makers(part.query)
        for pk, text in texts.items():
            unit = units.get(pk)
            if unit is None:
                continue
            row = {**text, "systems": makers.get(pk, []), "pass": passed[unit]}
            for name in names:
                row |= _cells(columns[name], unit)
            yield row


def _cells(column: GoldColumn, unit: int) -> Row:
    value, spread = float(column.mean[unit]), float(column.spread[unit])
    if np.isnan(value):
        return {f"{column.name}_n": 0}
    n = int(column.n[unit])
    return {
        column.name: value,
        f"{column.name}_n": n or None,
        f"{column.name}_sd": None if np.isnan(spread) else spread,
        f"{column.name}_method": "imported" if column.imported[unit] else "mean",
    }


def _makers(items: Items) -> dict[int, list[str]]:
    """The labels of the systems that made each text of a part."""
    pairs = (
        Output.objects.filter(item__in=items, substitution__isnull=False)
        .order_by("system__label", "rank")
        .values_list("substitution_id", "system__label")
    )
    found: dict[int, dict[str, None]] = {}
    for pk, label in pairs:
        found.setdefault(pk, {})[label] = None
    return {pk: list(labels) for pk, labels in found.items()}


def matrix(*, campaign: Campaign, scale: str) -> Export:
    """One row per judged text, one column per annotator who counts; empty where no value is."""
    voices = (
        Judgment.objects.filter(
            campaign=campaign,
            scale__name=scale,
            status=Judgment.Status.COUNTED,
            value__isnull=False,
        )
        .order_by("annotator__code")
        .values_list("annotator__code", flat=True)
        .distinct()
    )
    return Export(matrix_columns(list(voices)), _matrix_rows(campaign, scale))


def _matrix_rows(campaign: Campaign, scale: str) -> Iterator[Row]:
    for part in item_parts(campaign):
        texts = texts_of(part, role=Substitution.Role.OUTPUT)
        ratings = ratings_get(campaign=campaign, items=part.query)
        unit, voice, value = ratings.tables[scale].by_unit
        cells: dict[int, Row] = {}
        for one, who, what in zip(unit.tolist(), voice.tolist(), value.tolist(), strict=True):
            pk = int(ratings.units[one])
            cells.setdefault(pk, {})[annotator_key(ratings.annotators[who].code)] = what
        for pk, text in texts.items():
            if pk in cells:
                named = {"substitution": text["paraphrase"]}
                yield {**named, "item": text["item"], "phrase": text["phrase"], **cells[pk]}


def ccb_rows(*, campaign: Campaign, annotator: str | None) -> Iterator[CcbRow]:
    """Lines of an evaluation file, phrase by phrase; with one annotator's scores or blank.

    Raises ValueError for a text that is shown in a sentence of its own.
    """
    phrases = list(
        campaign.phrases.annotate(first=Min("items__position"))
        .filter(first__isnull=False)
        .order_by("first", "pk")
        .values_list("pk", flat=True)
    )
    for start in range(0, len(phrases), PHRASES):
        yield from _ccb_part(phrases[start : start + PHRASES], annotator)


def _ccb_part(phrases: list[int], annotator: str | None) -> Iterator[CcbRow]:
    order = {pk: place for place, pk in enumerate(phrases)}
    rows = sorted(
        Item.objects.filter(phrase__in=phrases).select_related("phrase"),
        key=lambda item: (order[item.phrase_id], item.position),
    )
    items = [item.pk for item in rows]
    texts = grouped(
        Substitution.objects.filter(item__in=items, role=Substitution.Role.OUTPUT)
        .order_by("pk")
        .values_list("item_id", "pk", "text", "own_sentence")
    )
    makers, nothing = _makers(items), grouped(
        Output.objects.filter(item__in=items, substitution=None)
        .order_by("system__label")
        .values_list("item_id", "system__label")
    )  # fmt: skip
    scores = _scores(items, annotator)
    for item in rows:
        place = (item.phrase.text, item.sentence, item.start, item.end)
        numbers = (
            _number(item.phrase.attributes.get("ccb_phrase")),
            _number(item.attributes.get("ccb_item")),
        )
        for pk, text, own in texts.get(item.pk, []):
            if own is not None:
                raise ValueError(f"{text[:60]!r} is shown in a sentence of its own")
            given = scores.get((pk, "meaning")), scores.get((pk, "grammar"))
            yield CcbRow(*place, text, tuple(makers.get(pk, [])), *given, *numbers)
        none = tuple(dict.fromkeys(label for (label,) in nothing.get(item.pk, [])))
        if none or item.pk not in texts:
            yield CcbRow(*place, None, none, None, None, *numbers)


def _scores(items: Items, annotator: str | None) -> dict[tuple[int, str], float]:
    if annotator is None:
        return {}
    rows = Judgment.objects.filter(
        substitution__item__in=items,
        annotator__code=annotator,
        occasion=1,
        kind=Judgment.Kind.RATING,
    ).exclude(value=None)
    columns = rows.values_list("substitution_id", "scale__name", "value")
    return {(pk, scale.casefold()): value for pk, scale, value in columns if value is not None}


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
