"""Rows of the exports of items and judgments, streamed in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from annotation.exporters import (
    JUDGMENT_COLUMNS,
    Column,
    attribute_name,
    item_columns,
    reference_name,
)
from annotation.models import (
    Annotator,
    Campaign,
    Item,
    Judgment,
    JudgmentVersion,
    Output,
    Reference,
    Scale,
    Substitution,
    System,
)
from scoring.selectors.exports.batches import (
    ItemPart,
    Row,
    grouped,
    item_parts,
    texts_of,
)
from scoring.selectors.exports.excluded import Exclusions, excluded_cells
from scoring.selectors.texts import makers_of


@dataclass(frozen=True, slots=True)
class Export:
    """Columns and rows of one export."""

    columns: tuple[Column, ...]
    rows: Iterator[Row]


def items(*, campaign: Campaign) -> Export:
    """One row per output. Texts without a system, items without texts and further external ids of
    an item have rows too, so that importing the file gives the same items."""
    per_item = (
        Reference.objects.filter(item__campaign=campaign)
        .order_by()
        .values("item")
        .annotate(n=Count("pk"))
    )
    most = per_item.order_by("-n").values_list("n", flat=True).first()
    names = _attribute_names(campaign)
    copies = Substitution.objects.filter(campaign=campaign, made_from__isnull=False).exists()
    columns = item_columns(references=most or 0, attributes=names, copies=copies)
    return Export(columns, _item_rows(campaign, {level for level, used in names.items() if used}))


def _attribute_names(campaign: Campaign) -> dict[str, list[str]]:
    sources: dict[str, Any] = {
        "item": Item.objects.filter(campaign=campaign),
        "phrase": campaign.phrases.all(),
        "substitution": Substitution.objects.filter(campaign=campaign),
        "system": System.objects.filter(campaign=campaign),
        "output": Output.objects.filter(system__campaign=campaign),
    }
    names: dict[str, list[str]] = {}
    for level, rows in sources.items():
        there = rows.exclude(attributes={}).order_by().values_list("attributes", flat=True)
        names[level] = sorted({name for found in there.iterator(2000) for name in found})
    return names


def _item_rows(campaign: Campaign, levels: set[str]) -> Iterator[Row]:
    systems = {
        pk: (label, attributes)
        for pk, label, attributes in System.objects.filter(campaign=campaign).values_list(
            "pk", "label", "attributes"
        )
    }
    for part in item_parts(campaign):
        yield from _Part(part, systems, levels).rows()


class _Part:
    """A batch of items with all related rows; at most eight queries. `levels` have attributes."""

    def __init__(
        self, part: ItemPart, systems: dict[int, tuple[str, Row]], levels: set[str]
    ) -> None:
        self.part, self.systems = part, systems
        self.texts = texts_of(part)
        self.of_item: dict[int, Row] = {}
        if levels & {"item", "phrase"}:
            owners = part.query
            for pk, own, phrase in owners.values_list("pk", "attributes", "phrase__attributes"):
                self.of_item[pk] = {"item": own, "phrase": phrase}
        written = Substitution.objects.filter(**part.where()).order_by("pk")
        self.of_text: dict[int, Row] = {}
        if "substitution" in levels:
            self.of_text = dict(written.values_list("pk", "attributes"))
        self.by_item = grouped(written.values_list("item_id", "pk"))
        references = Reference.objects.filter(**part.where()).order_by("position")
        self.references = grouped(references.values_list("item_id", "text"))
        columns = ["item_id", "substitution_id", "system_id", "rank"]
        columns += ["attributes"] if "output" in levels else []
        outputs = Output.objects.filter(**part.where()).order_by("pk")
        self.outputs = grouped(outputs.values_list(*columns))

    def rows(self) -> Iterator[Row]:
        for pk, item in self.part.rows.items():
            cited = [text for (text,) in self.references.get(pk, ())]
            outputs = self.outputs.get(pk, ())
            made = {text for text, *_ in outputs}
            for text, system, rank, *attributes in outputs:
                label, of_system = self.systems[system]
                row = self._row(pk, text, cited)
                row["system"], row["rank"] = label, rank
                _attach(row, {"system": of_system, "output": attributes[0] if attributes else {}})
                yield row
            alone = [text for (text,) in self.by_item.get(pk, ()) if text not in made]
            for text in alone or ([] if outputs else [None]):
                yield self._row(pk, text, cited)
            for name in self.part.names.get(pk, [])[1:]:
                yield {**item, "item": name}

    def _row(self, item: int, text: int | None, cited: list[str]) -> Row:
        row = (self.part.rows[item] if text is None else self.texts[text]).copy()
        for number, reference in enumerate(cited, start=1):
            row[reference_name(number)] = reference
        _attach(row, self.of_item.get(item, {}))
        if text is not None:
            _attach(row, {"substitution": self.of_text.get(text, {})})
        return row


def _attach(row: Row, attributes: dict[str, Row]) -> None:
    for level, named in attributes.items():
        for name, value in named.items():
            row[attribute_name(level, name)] = value


def judgments(*, campaign: Campaign) -> Export:
    """Every answer that is not cleared, with its status, including drafts and surplus."""
    return Export(JUDGMENT_COLUMNS, _said(campaign, _present))


def history(*, campaign: Campaign) -> Export:
    """Every version of every answer, cleared ones too, with the columns of the judgments."""
    return Export(JUDGMENT_COLUMNS, _said(campaign, _ever))


# The columns of an answer and of its versions, after the substitution; the first five belong to the
# judgment.
OWN = ("annotator_id", "scale_id", "occasion", "kind", "judged_at")
SAID = ("version", "value", "reason", "comment", "status", "recorded_at", "guideline_id")
ORDER = ("substitution_id", "annotator_id", "occasion", "scale_id", "pk")


def _present(part: ItemPart) -> Iterable[tuple[Any, ...]]:
    rows = Judgment.objects.filter(**part.where("substitution__item"))
    given = rows.exclude(value=None, reason="").order_by(*ORDER)
    return given.values_list("substitution_id", *OWN, *SAID)


def _ever(part: ItemPart) -> Iterable[tuple[Any, ...]]:
    rows = JudgmentVersion.objects.filter(**part.where("judgment__substitution__item"))
    in_order = rows.order_by(*(f"judgment__{name}" for name in ORDER), "version")
    own = (f"judgment__{name}" for name in ("substitution_id", *OWN))
    return in_order.values_list(*own, *SAID)


def _said(
    campaign: Campaign, read: Callable[[ItemPart], Iterable[tuple[Any, ...]]]
) -> Iterator[Row]:
    codes = dict(Annotator.objects.filter(campaign=campaign).values_list("pk", "code"))
    scales = dict(Scale.objects.filter(campaign=campaign).values_list("pk", "name"))
    guidelines = {pk: str(n) for pk, n in campaign.guidelines.values_list("pk", "version")}
    exclusions = Exclusions.of(campaign)
    for part in item_parts(campaign):
        texts = texts_of(part)
        by_text, makers = grouped(read(part)), makers_of(**part.where())
        out = exclusions.of_texts(part)
        for pk, text in texts.items():
            text["systems"] = makers.get(pk) or None
            for annotator, scale, occasion, kind, at, version, *said in by_text.get(pk, ()):
                value, reason, comment, status, recorded, guideline = said
                row = text.copy()
                row["annotator"] = codes[annotator]
                row["scale"] = scales[scale]
                row["value"] = value
                row["reason"] = reason or None
                row["occasion"] = occasion
                row["kind"] = kind
                row["status"] = status
                # Times of the imported file apply to the imported values, not to later changes.
                row["judged_at"] = at if version == 1 else None
                row["recorded_at"] = recorded
                row["guideline"] = guidelines.get(guideline)
                row["comment"] = comment or None
                row["version"] = version
                excluded = exclusions.of_annotator(annotator) + out.get(pk, [])
                yield row | excluded_cells(excluded) if excluded else row
