"""What a run gives to its metric: pairs of texts, read without a transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count

from annotation.models import Output, Reference, Substitution
from scoring.metrics.base import Pair
from scoring.models import Run, RunChunk

COLUMNS = (
    "pk", "item_id", "text", "own_sentence", "own_start", "own_end",
    "item__sentence", "item__start", "item__end",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ItemRange:
    """Whole items by id, and how many texts of the run they hold."""

    first: int
    last: int
    total: int


def item_ranges(*, run: Run, size: int) -> list[ItemRange]:
    """Cut a run into ranges of about `size` texts; an item is never cut."""
    counts = _texts(run).order_by("item_id").values_list("item_id").annotate(n=Count("pk"))
    ranges: list[ItemRange] = []
    first, total, last = None, 0, 0
    for item, n in counts.iterator(chunk_size=5000):
        if first is not None and total + n > size:
            ranges.append(ItemRange(first, last, total))
            first, total = None, 0
        first = item if first is None else first
        last, total = item, total + n
    if first is not None:
        ranges.append(ItemRange(first, last, total))
    return ranges


def read_pairs(*, run: Run, first: int, last: int) -> tuple[list[int], list[Pair]]:
    """Substitution ids and their pairs, item after item; two queries."""
    references: dict[int, list[str]] = defaultdict(list)
    for item, text in (
        Reference.objects.filter(
            item_id__gte=first, item_id__lte=last, item__campaign_id=run.campaign_id
        )
        .order_by("item_id", "position")
        .values_list("item_id", "text")
    ):
        references[item].append(text)
    rows = _texts(run).filter(item_id__gte=first, item_id__lte=last).order_by("item_id", "pk")
    ids, pairs = [], []
    for pk, item, text, own, own_start, own_end, sentence, start, end in rows.values_list(*COLUMNS):
        # References paraphrase the item's sentence: they say nothing about another one.
        known = tuple(references[item]) if own is None else ()
        context = (sentence, start, end) if own is None else (own, own_start, own_end)
        ids.append(pk)
        pairs.append(_pair(run.scope, text, *context, known))
    return ids, pairs


def _pair(
    scope: str, text: str, sentence: str, start: int, end: int, references: tuple[str, ...]
) -> Pair:
    if scope == Run.Scope.SENTENCE:
        return Pair(sentence, f"{sentence[:start]}{text}{sentence[end:]}", references)
    whole = start == 0 and end == len(sentence)
    return Pair(sentence[start:end], text, references if whole else ())


def all_pairs(*, run: Run, size: int) -> Iterator[Pair]:
    """Every pair of the run, item after item, a few thousand in memory at a time."""
    for part in item_ranges(run=run, size=size):
        yield from read_pairs(run=run, first=part.first, last=part.last)[1]


def systems_of(*, run: Run, first: int, last: int) -> dict[int, set[int]]:
    """Which systems made a text: system ids by substitution id. One that gave it at two ranks
    made it once."""
    made: dict[int, set[int]] = defaultdict(set)
    rows = Output.objects.filter(
        item_id__gte=first,
        item_id__lte=last,
        system__campaign_id=run.campaign_id,
        substitution__role=Substitution.Role.OUTPUT,
        substitution_id__lte=run.last_substitution,
    ).values_list("substitution_id", "system_id")
    for substitution, system in rows:
        made[substitution].add(system)
    return made


def chunk_pairs(*, run: Run, chunk: RunChunk) -> tuple[list[int], list[Pair]]:
    """The pairs of one chunk."""
    return read_pairs(run=run, first=chunk.first_item, last=chunk.last_item)


def _texts(run: Run):  # type: ignore[no-untyped-def]  # A QuerySet whose type only stubs know.
    return Substitution.objects.filter(
        campaign_id=run.campaign_id,
        role=Substitution.Role.OUTPUT,
        pk__lte=run.last_substitution,
    )
