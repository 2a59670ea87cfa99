"""The texts of a run as pairs for its metric, read without a transaction."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Length

from annotation.models import Output, Reference, Substitution
from paraanno.plain.language_tags import known_tag
from scoring.metrics.base import Pair
from scoring.metrics.references import Counts
from scoring.models import Run

COLUMNS = (
    "pk", "item_id", "item__identity_hash", "text_hash", "context_hash",
    "text", "own_sentence", "own_start", "own_end", "item__sentence", "item__start", "item__end",
    "item__language", "campaign__language",
)  # fmt: skip
Row = tuple[Any, ...]
Key = tuple[str, ...]  # Digests of item, text and context.


@dataclass(frozen=True, slots=True)
class Frame:
    """The texts and references that existed when the run started."""

    campaign: int
    scope: str
    last_substitution: int
    last_reference: int | None

    @classmethod
    def of(cls, run: Run) -> Frame:
        return cls(run.campaign_id, run.scope, run.last_substitution, run.last_reference)


@dataclass(frozen=True, slots=True)
class Texts:
    """Aligned lists: substitution ids, their pairs, and the digests that identify equal texts in
    other campaigns."""

    ids: list[int]
    pairs: list[Pair]
    keys: list[Key]


@dataclass(frozen=True, slots=True)
class ItemRange:
    """A range of items by id, and how many texts of the run they hold."""

    first: int
    last: int
    total: int


@dataclass(frozen=True, slots=True)
class Makers:
    """Aligned: ids of texts in ascending order, and of a system that produced each. NumPy arrays,
    since a campaign may have millions."""

    texts: array[int]
    systems: array[int]

    def of(self, ascending: Iterable[Row]) -> Iterator[tuple[int, Row]]:
        """Join rows that begin with a text id with each system that produced the text."""
        at = 0
        for row in ascending:
            while at < len(self.texts) and self.texts[at] < row[0]:
                at += 1
            for place in range(at, len(self.texts)):
                if self.texts[place] != row[0]:
                    break
                yield self.systems[place], row


def item_ranges(
    *, frame: Frame, size: int, taken: Sequence[tuple[int, int]] = ()
) -> list[ItemRange]:
    """Split the texts into ranges of about `size`; an item is never split.

    `taken` are sorted ranges of item ids that already have chunks: no new range overlaps them.
    """
    counts = _texts(frame).order_by("item_id").values_list("item_id").annotate(n=Count("pk"))
    ranges: list[ItemRange] = []
    first, total, last = None, 0, 0
    place = 0  # The first taken range that does not end before the item.
    for item, n in counts.iterator(chunk_size=5000):
        before = place
        while place < len(taken) and taken[place][1] < item:
            place += 1
        if first is not None and (total + n > size or place > before):
            ranges.append(ItemRange(first, last, total))
            first, total = None, 0
        if place < len(taken) and taken[place][0] <= item:
            continue
        first = item if first is None else first
        last, total = item, total + n
    if first is not None:
        ranges.append(ItemRange(first, last, total))
    return ranges


def items_between(first: int, last: int) -> Q:
    """A filter for items in an id range."""
    return Q(item_id__gte=first, item_id__lte=last)


def read_texts(*, frame: Frame, items: Q, groups: bool = False) -> Texts:
    """Read the texts of a range of items, item by item; two queries.

    With `groups` each pair carries all distinct paraphrases of its original, sorted.
    """
    references = _references(frame, items)
    rows = _texts(frame).filter(items).order_by("item_id", "pk").values_list(*COLUMNS)
    texts = Texts([], [], [])
    for pk, item, *key, text, own, own_start, own_end, sentence, start, end, tag, of_all in rows:
        # References paraphrase the item's sentence and do not apply to another one.
        known = tuple(references[item]) if own is None else ()
        context = (sentence, start, end) if own is None else (own, own_start, own_end)
        texts.ids.append(pk)
        language = known_tag(tag or of_all)
        texts.pairs.append(_pair(frame.scope, language, text, *context, known))
        texts.keys.append(tuple(key))
    if groups:
        texts.pairs[:] = _grouped(texts)
    return texts


def _references(frame: Frame, items: Q) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    rows = _known_references(frame).filter(items, item__campaign_id=frame.campaign)
    for item, text in rows.order_by("item_id", "position").values_list("item_id", "text"):
        found[item].append(text)
    return found


def _known_references(frame: Frame) -> QuerySet[Reference]:
    """The references that existed when the run started; of every campaign."""
    rows = Reference.objects.all()
    return rows if frame.last_reference is None else rows.filter(pk__lte=frame.last_reference)


def _grouped(texts: Texts) -> Iterator[Pair]:
    groups: dict[tuple[str, str], set[str]] = defaultdict(set)
    for pair, key in zip(texts.pairs, texts.keys, strict=True):
        groups[key[0], pair.original].add(pair.paraphrase)
    together = {key: tuple(sorted(group)) for key, group in groups.items()}
    for pair, key in zip(texts.pairs, texts.keys, strict=True):
        yield replace(pair, group=together[key[0], pair.original])


def _pair(
    scope: str,
    language: str,
    text: str,
    sentence: str,
    start: int,
    end: int,
    references: tuple[str, ...],
) -> Pair:
    if scope == Run.Scope.SENTENCE:
        changed = f"{sentence[:start]}{text}{sentence[end:]}"
        return Pair(sentence, changed, references, language=language)
    whole = start == 0 and end == len(sentence)
    return Pair(sentence[start:end], text, references if whole else (), language=language)


def all_pairs(*, frame: Frame, size: int, groups: bool) -> Iterator[Pair]:
    """Iterate over all pairs of the run, item by item, a few thousand in memory at a time."""
    for part in item_ranges(frame=frame, size=size):
        items = items_between(part.first, part.last)
        yield from read_texts(frame=frame, items=items, groups=groups).pairs


def counts_of(*, frame: Frame) -> Counts:
    """The texts of the run by number of references; two queries, which read no text."""
    rows = _known_references(frame).filter(item__campaign_id=frame.campaign)
    references = dict(rows.order_by().values_list("item_id").annotate(n=Count("pk")))
    # As in `read_texts`: references apply to the item's own sentence alone.
    whole = Q(own_sentence=None)
    if frame.scope != Run.Scope.SENTENCE:
        whole &= Q(item__start=0, item__end=Length("item__sentence"))
    texts = _texts(frame).order_by().values_list("item_id")
    counts: Counter[int] = Counter()
    for item, n, met in texts.annotate(n=Count("pk"), met=Count("pk", filter=whole)).iterator(
        chunk_size=5000
    ):
        counts[references.get(item, 0)] += met
        counts[0] += n - met
    return counts


def systems_of(*, frame: Frame) -> Makers:
    """The systems that produced each text; one that gave it at two ranks counts once."""
    rows = Output.objects.filter(
        system__campaign_id=frame.campaign,
        substitution__role=Substitution.Role.OUTPUT,
        substitution_id__lte=frame.last_substitution,
    )
    made = Makers(array("q"), array("q"))
    pairs = rows.order_by("substitution_id", "system_id").values_list(
        "substitution_id", "system_id"
    )
    for substitution, system in pairs.distinct().iterator(chunk_size=5000):
        made.texts.append(substitution)
        made.systems.append(system)
    return made


def _texts(frame: Frame):  # type: ignore[no-untyped-def]  # A QuerySet whose type only stubs know.
    return Substitution.objects.filter(
        campaign_id=frame.campaign,
        role=Substitution.Role.OUTPUT,
        pk__lte=frame.last_substitution,
    )
