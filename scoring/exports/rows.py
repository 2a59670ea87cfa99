"""Rows of the exports of items and judgments, streamed in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.exporters.columns import (
    JUDGMENT_COLUMNS,
    Column,
    RowBlock,
    RowBlocks,
    annotator_columns,
    attribute_name,
    item_columns,
    reference_name,
)
from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Item,
    Judgment,
    JudgmentVersion,
    Output,
    OutsideId,
    Reference,
    Scale,
    Substitution,
    System,
)
from annotation.models.fields import text_key
from annotation.models.people import TARGETS
from annotation.people.annotators import annotators_with_consent
from paraanno.common.progress import step
from scoring.models import ExportFile
from scoring.runs.queries import makers_of

# Reading a campaign in batches of items, each with its own short query, so that no transaction
# stays open while a slow client reads.


PART = 1000
ITEM = ("pk", "position", "phrase__text", "sentence", "start", "end", "language")
TEXT = (
    "pk",
    "item_id",
    "text",
    "role",
    "made_from__text",
    "own_sentence",
    "own_start",
    "own_end",
)
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ItemPart:
    """A batch of items in order of import.

    rows   by item id, the first columns of every export; shared: copy a row before changing it
    query  the same items for a subquery: a thousand ids as parameters would take longer
    names  all external ids by item id
    """

    rows: dict[int, Row]
    query: QuerySet[Item]
    names: dict[int, list[str]]

    def where(self, item: str = "item") -> dict[str, Any]:
        """A filter for rows of these items; `item` is the way to the item."""
        return rows_of(self.query, self.rows, item)


def rows_of(query: QuerySet[Item], pks: Collection[int], item: str = "item") -> dict[str, Any]:
    """A filter for rows of the items of a query, whose ids are `pks`.

    The ids of one batch mostly follow each other: between the first and the last, databases read
    an index, where PostgreSQL reads the whole table for the query alone.
    """
    return {
        f"{item}__in": query,
        f"{item}_id__gte": min(pks),
        f"{item}_id__lte": max(pks),
    }


def item_parts(campaign: Campaign) -> Iterator[ItemPart]:
    """The items of a campaign, in batches of PART."""
    last, n = -1, 0
    total = Item.objects.filter(campaign=campaign).count()
    while True:
        after = Item.objects.filter(campaign=campaign, position__gt=last).order_by("position")
        batch = list(after.values_list(*ITEM)[:PART])
        if not batch:
            return
        last = batch[-1][1]
        query = after.filter(position__lte=last).order_by()
        pks = [row[0] for row in batch]
        outside = OutsideId.objects.filter(**rows_of(query, pks)).order_by("pk")
        names: dict[int, list[str]] = {}
        for pk, name in outside.values_list("item_id", "value"):
            names.setdefault(pk, []).append(name)
        rows = {
            pk: {
                "item": names[pk][0] if pk in names else None,
                "phrase": phrase,
                "sentence": sentence,
                "start": start,
                "end": end,
                "language": language or campaign.language or None,
            }
            for pk, _, phrase, sentence, start, end, language in batch
        }
        with step(n / total, min(1.0, (n + len(batch)) / total)):
            yield ItemPart(rows, query, names)
        n += len(batch)


def texts_of(part: ItemPart, **where: Any) -> dict[int, Row]:
    """The substitutions of a batch by id, in order, with all columns that identify them."""
    written = Substitution.objects.filter(**part.where(), **where).order_by("pk")
    by_item: dict[int, list[tuple[Any, ...]]] = {}
    for row in written.values_list(*TEXT):
        by_item.setdefault(row[1], []).append(row)
    texts: dict[int, Row] = {}
    for item, columns in part.rows.items():
        for pk, _item, text, role, source, own, start, end in by_item.get(item, ()):
            row = texts[pk] = columns.copy()
            shown = place(row) if own is None else (own, start, end)
            row["text_key"] = text_key(row["phrase"], shown, text)
            row["paraphrase"] = text
            row["role"] = role
            row["made_from"] = source
            if own is not None:
                row |= {"own_sentence": own, "own_start": start, "own_end": end}
    return texts


def place(row: Row) -> tuple[str, int, int]:
    """The sentence and the span of an item."""
    return row["sentence"], row["start"], row["end"]


def grouped(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    """Group rows by their first column, which is dropped."""
    groups: dict[int, list[tuple[Any, ...]]] = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row[1:])
    return groups


# The export files of a campaign.


def export_files(*, campaign: Campaign) -> QuerySet[ExportFile]:
    """The export files of a campaign, newest first; one query. Archives and packages are not for
    all who read it: see `whole_files` in scoring/archives/rows.py."""
    rows = ExportFile.objects.filter(campaign=campaign)
    return rows.exclude(what__in=ExportFile.WHOLE).order_by("-pk")


def export_get(*, campaign: Campaign, key: UUID, finished: bool = False) -> ExportFile:
    """One export file. Raises NotFound if the campaign has no such file, or if it is not
    finished."""
    rows = export_files(campaign=campaign).filter(key=key)
    if finished:
        rows = rows.filter(status=ExportFile.Status.DONE)
    file = rows.first()
    if file is None:
        raise NotFound(_("There is no such file."))
    return file


# What the rows of an export say about exclusions in force.


OF_TEXTS = {"substitution": "pk", "item": "item_id", "phrase": "item__phrase_id"}


@dataclass(frozen=True, slots=True)
class InForce:
    """An exclusion in force: what is excluded, why, and since when."""

    target: str
    reason: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Exclusions:
    """The exclusions in force of a campaign, by kind of target and id."""

    by: dict[str, dict[int, InForce]] = field(default_factory=dict)

    @classmethod
    def of(cls, campaign: Campaign) -> Exclusions:
        """Read them; one query."""
        by: dict[str, dict[int, InForce]] = {name: {} for name in TARGETS}
        rows = Exclusion.objects.filter(campaign=campaign, ends_at=None).order_by("pk")
        columns = (f"{name}_id" for name in TARGETS)
        for reason, since, *ids in rows.values_list("reason", "starts_at", *columns):
            for name, pk in zip(TARGETS, ids, strict=True):
                if pk is not None:
                    by[name][pk] = InForce(name, reason, since)
        return cls(by)

    def of_annotator(self, annotator: int) -> list[InForce]:
        """The exclusion of an annotator, if there is one."""
        return [self.by["annotator"][annotator]] if annotator in self.by["annotator"] else []

    def of_texts(self, part: ItemPart) -> dict[int, list[InForce]]:
        """The exclusions of each text of a batch, by id; up to three queries.

        An excluded system takes a text away that no other system produced.
        """
        exclusions: dict[int, list[InForce]] = {}
        texts = Substitution.objects.filter(**part.where()).order_by("pk")
        concerned = Q()
        for name, column in OF_TEXTS.items():
            if self.by[name]:
                concerned |= Q(**{f"{column}__in": list(self.by[name])})
        if concerned:
            for pk, item, phrase in texts.filter(concerned).values_list(
                "pk", "item_id", "item__phrase_id"
            ):
                ids = {"substitution": pk, "item": item, "phrase": phrase}
                exclusions[pk] = [
                    self.by[name][one] for name, one in ids.items() if one in self.by[name]
                ]
        if self.by["system"]:
            for pk, systems in _makers(part):
                if systems and systems <= set(self.by["system"]):
                    exclusions.setdefault(pk, []).append(self.by["system"][min(systems)])
        return exclusions


def _makers(part: ItemPart) -> Iterator[tuple[int, set[int]]]:
    made: dict[int, set[int]] = {}
    outputs = Output.objects.filter(**part.where(), substitution__isnull=False)
    for text, system in outputs.order_by().values_list("substitution_id", "system_id"):
        made.setdefault(text, set()).add(system)
    yield from made.items()


def excluded_cells(exclusions: list[InForce]) -> Row:
    """The columns `excluded` (the kinds of target), `excluded_reason` and `excluded_since`."""
    if not exclusions:
        return {"excluded": None, "excluded_reason": None, "excluded_since": None}
    return {
        "excluded": ", ".join(one.target for one in exclusions),
        "excluded_reason": "; ".join(dict.fromkeys(one.reason for one in exclusions)),
        "excluded_since": min(one.since for one in exclusions),
    }


@dataclass(frozen=True, slots=True)
class Export:
    """Columns and rows of one export."""

    columns: tuple[Column, ...]
    rows: Iterable[Row]


def items(*, campaign: Campaign) -> Export:
    """One row per output. Texts without a system, items without texts and further external ids of
    an item have rows too, so that importing the file gives the same items."""
    per_item = (
        Reference.objects.filter(item__campaign=campaign)
        .order_by()
        .values("item")
        .annotate(n=Count("*"))
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
        names[level] = sorted({name for attributes in there.iterator(2000) for name in attributes})
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
    return Export(JUDGMENT_COLUMNS, RowBlocks(_given(campaign, _present)))


def history(*, campaign: Campaign) -> Export:
    """Every version of every answer, cleared ones too, with the columns of the judgments."""
    return Export(JUDGMENT_COLUMNS, RowBlocks(_given(campaign, _ever)))


# The columns of an answer and of its versions, after the substitution; the first five belong to the
# judgment.
OWN = ("annotator_id", "scale_id", "occasion", "kind", "judged_at")
VERSION_FIELDS = ("version", "value", "reason", "comment", "status", "recorded_at", "guideline_id")
ORDER = ("substitution_id", "annotator_id", "occasion", "scale_id", "pk")


def _present(part: ItemPart) -> Iterable[tuple[Any, ...]]:
    rows = Judgment.objects.filter(**part.where("substitution__item"))
    given = rows.exclude(value=None, reason="").order_by(*ORDER)
    return given.values_list("substitution_id", *OWN, *VERSION_FIELDS)


def _ever(part: ItemPart) -> Iterable[tuple[Any, ...]]:
    rows = JudgmentVersion.objects.filter(**part.where("judgment__substitution__item"))
    in_order = rows.order_by(*(f"judgment__{name}" for name in ORDER), "version")
    own = (f"judgment__{name}" for name in ("substitution_id", *OWN))
    return in_order.values_list(*own, *VERSION_FIELDS)


def _given(
    campaign: Campaign, read: Callable[[ItemPart], Iterable[tuple[Any, ...]]]
) -> Iterator[RowBlock]:
    codes = dict(Annotator.objects.filter(campaign=campaign).values_list("pk", "code"))
    scales = dict(Scale.objects.filter(campaign=campaign).values_list("pk", "name"))
    guidelines = {pk: str(n) for pk, n in campaign.guidelines.values_list("pk", "version")}
    exclusions = Exclusions.of(campaign)
    for part in item_parts(campaign):
        texts = texts_of(part)
        by_text, makers = grouped(read(part)), makers_of(**part.where())
        out = exclusions.of_texts(part)
        judged = {pk: text for pk, text in texts.items() if pk in by_text}
        for pk, text in judged.items():
            text["systems"] = makers.get(pk) or None
        answers = [answer for pk in judged for answer in by_text[pk]]
        if not answers:
            continue
        annotator, scale, occasion, kind, at, version, *rest = zip(*answers, strict=True)
        value, reason, comment, status, recorded, guideline = rest
        own = {
            "annotator": [codes[one] for one in annotator],
            "scale": [scales[one] for one in scale],
            "value": value,
            "reason": [one or None for one in reason],
            "occasion": occasion,
            "kind": kind,
            "status": status,
            # Times of the imported file apply to the imported values, not to later changes.
            "judged_at": [one if n == 1 else None for one, n in zip(at, version, strict=True)],
            "recorded_at": recorded,
            "guideline": [guidelines.get(one) for one in guideline],
            "comment": [one or None for one in comment],
            "version": version,
        }
        if out or exclusions.by["annotator"]:
            pks = (pk for pk in judged for _answer in by_text[pk])
            cells = [
                excluded_cells(exclusions.of_annotator(one) + out.get(pk, []))
                for one, pk in zip(annotator, pks, strict=True)
            ]
            own |= {name: [one[name] for one in cells] for name in excluded_cells([])}
        yield RowBlock(list(judged.values()), [len(by_text[pk]) for pk in judged], own)


# Rows of the export of annotators: codes, never names.


PEOPLE_PART = 2000


def annotators(*, campaign: Campaign) -> Export:
    """One row for each annotator, with consent and background answers.

    Hidden questions have columns too. `question.NAME` is the wording that was answered, empty if it
    was not asked. `declined` names the questions that the annotator chose not to answer.
    """
    questions = campaign.background_questions.order_by("position", "pk")
    names = list(questions.values_list("name", flat=True))
    return Export(annotator_columns(names), _rows(campaign))


def _rows(campaign: Campaign) -> Iterator[Row]:
    annotators = annotators_with_consent(campaign=campaign).order_by("code")
    exclusions = Exclusions.of(campaign)
    for annotator in annotators.iterator(chunk_size=PEOPLE_PART):
        answers = list(annotator.background_answers.all())
        yield {
            "annotator": annotator.code,
            "origin": annotator.origin,
            "not_blind_since": annotator.not_blind_since,
            "consent_version": annotator.consent_version,  # type: ignore[attr-defined]
            "consented_at": annotator.consented_at,  # type: ignore[attr-defined]
            "withdrawn_at": annotator.withdrawn_at,  # type: ignore[attr-defined]
            "erased": annotator.erased or None,  # type: ignore[attr-defined]
            **{f"question.{one.question.name}": one.question.wording for one in answers},
            **{f"background.{one.question.name}": one.value for one in answers},
            "declined": [one.question.name for one in answers if one.declined] or None,
            **excluded_cells(exclusions.of_annotator(annotator.pk)),
        }


# What exports store about a person.


def exports_of(user: User) -> Mapping[str, Iterable[Mapping[str, Any]]]:
    """The files that a person ordered, for the zip of their data."""
    rows = ExportFile.objects.filter(created_by=user).order_by("pk")
    return {"exports": rows.values("campaign__slug", "what", "format", "created_at")}
