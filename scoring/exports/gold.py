"""Rows of the exports of gold, of the rating matrix, and of Callison-Burch evaluation files."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from django.db.models import Min

from annotation.exporters.columns import Column, annotator_key, gold_columns, matrix_columns
from annotation.exporters.texts import CcbRow
from annotation.models import Campaign, Item, Judgment, Output, Scale, Substitution
from paraanno.common.progress import steps
from scoring.correlation.report import UnitColumns, columns_get
from scoring.exports.rows import Export, Row, grouped, item_parts, texts_of
from scoring.gold.report import gold_get
from scoring.ratings.choice import Choice
from scoring.ratings.tables import Items, Ratings, ratings_get
from scoring.runs.queries import CHUNK, makers_of, texts_named
from scoring.stats.gold.compare import GoldMethod
from scoring.stats.gold.values import JUDGED, GoldValues

PHRASES = 200
MOST_LABELS = 100  # Of the values of a nominal scale, each of which has a probability.


def golds(*, campaign: Campaign, method: str = "mean") -> Export:
    """One row per text in force: the gold of each scale and of their sum by `method`, or imported
    gold if there are no judgments.

    `pass` says whether these values reach every threshold, or is the method's own decision. Item by
    item in constant memory; a method that needs the entire campaign computes all values first, as
    columns.
    """
    choice = Choice(method=method)
    whole = GoldMethod.parse(method).needs_all
    ratings = ratings_get(campaign=campaign, items=None if whole else [])
    names = list(ratings.tables)
    combined = [name for name in ratings.columns() if name not in ratings.tables]
    labels = {
        scale.name: scale.levels(at_most=MOST_LABELS)
        for scale in ratings.scales
        if GoldMethod.parse(method).decides and scale.level == Scale.Level.NOMINAL
    }
    units = [scale.name for scale in ratings.scales if _in_units(scale, method)]
    columns = gold_columns(names, combined=combined, detail=True, labels=labels, units=units)
    return Export(columns, _gold_rows(campaign, ratings if whole else None, choice))


def _gold_rows(campaign: Campaign, whole: Ratings | None, choice: Choice) -> Iterator[Row]:
    if not campaign.scales.exists():
        return
    name = GoldMethod.parse(choice.method).name
    units: dict[str, Scale] | None = None
    whole_gold = gold_get(campaign=campaign, ratings=whole, choice=choice) if whole else None
    for part in item_parts(campaign):
        ratings = whole or ratings_get(campaign=campaign, items=part.query)
        if units is None:
            units = {one.name: one for one in ratings.scales if _in_units(one, choice.method)}
        gold = whole_gold or gold_get(
            campaign=campaign, ratings=ratings, choice=choice, items=part.query
        )
        texts = texts_of(part, role=Substitution.Role.OUTPUT)
        at = ratings.position(np.fromiter(texts, dtype=np.int64, count=len(texts))).tolist()
        makers = makers_of(**part.where())
        for (pk, text), unit in zip(texts.items(), at, strict=True):
            if unit < 0:
                continue
            row = {**text, "systems": makers.get(pk, [])}
            for column, values in gold.columns.items():
                row |= _cells(column, values, unit, name)
                if (scale := units.get(column)) and column in row:
                    row[f"{column}_unit"] = in_units(row[column], scale.minimum, scale.maximum)
            yield row | _pass_cells(gold.passes, unit, name)


def _in_units(scale: Scale, method: str) -> bool:
    """Whether gold of the scale can be given from 0 to 1: its values are ordered, and the method's
    are on the scale."""
    return scale.level != Scale.Level.NOMINAL and GoldMethod.parse(method).name != "z"


def in_units(value: float, minimum: float, maximum: float) -> float:
    """A value of a scale from 0 (its least) to 1 (its greatest)."""
    return (value - minimum) / (maximum - minimum)


def _cells(column: str, values: GoldValues, unit: int, method: str) -> Row:
    value = _number_or_none(values.value[unit])
    likely: Row = {}
    if values.posterior is not None:
        likely = {
            f"{column}_p_{label:.12g}": _number_or_none(p)
            for label, p in zip(values.posterior_of, values.posterior[unit], strict=True)
        }
    if value is None:
        return {f"{column}_n": 0, **likely}
    source = values.sources[values.source[unit]]
    return {
        column: value,
        f"{column}_n": int(values.n[unit]) or None,
        f"{column}_sd": _number_or_none(values.spread[unit]),
        f"{column}_method": method if source == JUDGED else source,
        f"{column}_low": _number_or_none(values.low[unit]),
        f"{column}_high": _number_or_none(values.high[unit]),
        f"{column}_confidence": _number_or_none(values.confidence[unit]),
        **likely,
    }


def _pass_cells(passes: GoldValues, unit: int, method: str) -> Row:
    value = _number_or_none(passes.value[unit])
    if value is None:
        return {"pass": None}
    source = passes.sources[passes.source[unit]]
    return {
        "pass": value > 0.5,
        "pass_method": method if source == JUDGED else source,
        "pass_confidence": _number_or_none(passes.confidence[unit]),
    }


def _number_or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def matrix(*, campaign: Campaign, scale: str) -> Export:
    """One row per judged text, one column per annotator who counts; empty if missing."""
    annotators = (
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
    return Export(matrix_columns(list(annotators)), _matrix_rows(campaign, scale))


def _matrix_rows(campaign: Campaign, scale: str) -> Iterator[Row]:
    for part in item_parts(campaign):
        texts = texts_of(part, role=Substitution.Role.OUTPUT)
        ratings = ratings_get(campaign=campaign, items=part.query)
        unit, annotator, value = ratings.tables[scale].by_unit
        cells: dict[int, Row] = {}
        for one, who, what in zip(unit.tolist(), annotator.tolist(), value.tolist(), strict=True):
            pk = int(ratings.units[one])
            cells.setdefault(pk, {})[annotator_key(ratings.annotators[who].code)] = what
        for pk, text in texts.items():
            if pk in cells:
                named = {"substitution": text["paraphrase"]}
                yield {**named, "item": text["item"], "phrase": text["phrase"], **cells[pk]}


def ccb_rows(*, campaign: Campaign, annotator: str | None) -> Iterator[CcbRow]:
    """Lines of an evaluation file, phrase by phrase; with one annotator's scores or blank.

    Raises ValueError for a text with its own sentence.
    """
    phrases = list(
        campaign.phrases.annotate(first=Min("items__position"))
        .filter(first__isnull=False)
        .order_by("first", "pk")
        .values_list("pk", flat=True)
    )
    for start in steps(range(0, len(phrases), PHRASES)):
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
    makers, nothing = (
        makers_of(item__in=items),
        grouped(
            Output.objects.filter(item__in=items, substitution=None)
            .order_by("system__label")
            .values_list("item_id", "system__label")
        ),
    )
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


# The wide table of a campaign: a row for each text, with its gold and its scores.


_TEXT = (
    Column("text_key"),
    Column("item_key"),
    Column("phrase"),
    Column("sentence"),
    Column("start", "integer"),
    Column("end", "integer"),
    Column("paraphrase"),
    Column("systems", "list"),
    Column("language"),
)


def table(*, campaign: Campaign) -> Export:
    """One row per text in force: its systems, its gold on each scale and on their sum, whether it
    passes, and the newest scores of each metric; empty where there is none.

    `manage.py correlate` takes the file; the clusters are `item_key` or `phrase`. Raises ValueError
    if a scale and a metric have the same name.
    """
    unit_columns = columns_get(campaign=campaign, choice=Choice())
    numbers = [*unit_columns.gold, "pass", *unit_columns.scored]
    names = [*(column.name for column in _TEXT), *numbers]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"two columns would be named {', '.join(twice)}: rename a scale")
    columns = (*_TEXT, *(Column(name, "number") for name in numbers))
    return Export(columns, _table_rows(unit_columns))


def _table_rows(unit_columns: UnitColumns) -> Iterator[Row]:
    values = {**unit_columns.gold, "pass": unit_columns.passed, **unit_columns.scored}
    units = unit_columns.ratings.units.tolist()
    for at in steps(range(0, len(units), CHUNK)):
        for unit, text in enumerate(texts_named(units[at : at + CHUNK]), at):
            row: Row = {
                "text_key": text.text_key,
                "item_key": text.item_key,
                "phrase": text.phrase,
                "sentence": text.sentence,
                "start": text.start,
                "end": text.end,
                "paraphrase": text.paraphrase,
                "systems": list(text.systems) or None,
                "language": text.language or None,
            }
            for name, column in values.items():
                number = float(column[unit])
                row[name] = None if np.isnan(number) else number
            yield row
