"""Reading a campaign in batches of items, each with its own short query, so that no transaction
stays open while a slow client reads."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotation.models import Campaign, Item, OutsideId, Substitution
from annotation.models.fields import text_key
from paraanno.plain.progress import step

PART = 1000
ITEM = ("pk", "position", "phrase__text", "sentence", "start", "end", "language")
TEXT = (
    "pk", "item_id", "text", "role", "made_from__text", "own_sentence", "own_start", "own_end",
)  # fmt: skip
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
        f"{item}__in": query, f"{item}_id__gte": min(pks), f"{item}_id__lte": max(pks),
    }  # fmt: skip


def item_parts(campaign: Campaign) -> Iterator[ItemPart]:
    """The items of a campaign, in batches of PART."""
    last, n = -1, 0
    total = Item.objects.filter(campaign=campaign).count()
    while True:
        after = Item.objects.filter(campaign=campaign, position__gt=last).order_by("position")
        found = list(after.values_list(*ITEM)[:PART])
        if not found:
            return
        last = found[-1][1]
        query = after.filter(position__lte=last).order_by()
        pks = [row[0] for row in found]
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
            for pk, _, phrase, sentence, start, end, language in found
        }
        with step(n / total, min(1.0, (n + len(found)) / total)):
            yield ItemPart(rows, query, names)
        n += len(found)


def texts_of(part: ItemPart, **where: Any) -> dict[int, Row]:
    """The substitutions of a batch by id, in order, with all columns that identify them."""
    written = Substitution.objects.filter(**part.where(), **where).order_by("pk")
    by_item: dict[int, list[tuple[Any, ...]]] = {}
    for row in written.values_list(*TEXT):
        by_item.setdefault(row[1], []).append(row)
    texts: dict[int, Row] = {}
    for item, columns in part.rows.items():
        for pk, _, text, role, source, own, start, end in by_item.get(item, ()):
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
    found: dict[int, list[tuple[Any, ...]]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row[1:])
    return found
