"""The texts of a run as pairs for its metric, read without a transaction."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Value
from django.db.models.functions import Length
from django.utils.translation import gettext as _
from django.utils.translation import override

from annotation.access import one_of, usable_in
from annotation.database import Actor
from annotation.errors import NotFound
from annotation.models import Output, Reference, Substitution
from paraanno.common.cells import known_tag
from paraanno.common.texts import say
from scoring.metrics.base import Metric
from scoring.metrics.files import NONE, FileOption
from scoring.metrics.registry import create, metric_class
from scoring.metrics.values import Counts, Pair, language_problem
from scoring.models import Resource, Run

COLUMNS = (
    "pk",
    "item_id",
    "item__identity_hash",
    "text_hash",
    "context_hash",
    "text",
    "own_sentence",
    "own_start",
    "own_end",
    "item__sentence",
    "item__start",
    "item__end",
    "item__language",
    "campaign__language",
)
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
    """Aligned: ids of texts in ascending order, and of a system that produced each. Compact arrays,
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
    counts = _texts(frame).order_by("item_id").values_list("item_id").annotate(n=Count("*"))
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
        item_references = tuple(references[item]) if own is None else ()
        context = (sentence, start, end) if own is None else (own, own_start, own_end)
        texts.ids.append(pk)
        language = known_tag(tag or of_all)
        texts.pairs.append(_pair(frame.scope, language, text, *context, item_references))
        texts.keys.append(tuple(key))
    if groups:
        texts.pairs[:] = _grouped(texts)
    return texts


def _references(frame: Frame, items: Q) -> dict[int, list[str]]:
    references: dict[int, list[str]] = defaultdict(list)
    rows = _known_references(frame).filter(items, item__campaign_id=frame.campaign)
    for item, text in rows.order_by("item_id", "position").values_list("item_id", "text"):
        references[item].append(text)
    return references


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
    references = dict(rows.order_by().values_list("item_id").annotate(n=Count("*")))
    # As in `read_texts`: references apply to the item's own sentence alone.
    whole = Q(own_sentence=None)
    if frame.scope != Run.Scope.SENTENCE:
        whole &= Q(item__start=0, item__end=Length("item__sentence"))
    texts = _texts(frame).order_by().values_list("item_id")
    counts: Counter[int] = Counter()
    for item, n, met in texts.annotate(n=Count("*"), met=Count(Value(1), filter=whole)).iterator(
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


# Resources named in a run's options, resolved to the files that its metric opens.
#
# In a run an option like `vectors=` takes the key of a stored resource, never a path: a path from a
# form would let its sender read the server's disk. The resource is one that may be used for the
# campaign (`among`): what is out of scope is not there.


_KEY = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def usable(*, campaign_id: int, actor: Actor) -> QuerySet[Resource]:
    """What the actor may give to a metric of the campaign; the command line, what is not somebody's
    own."""
    users = (actor.pk if actor is not None else None,)
    return Resource.objects.filter(usable_in(campaign=campaign_id, users=users))


def metric_of_run(run: Run) -> Metric[Any]:
    """The metric of a run, with what whoever started it may use for its campaign: an archive may
    have named anything. Raises ValueError as `metric_create`, also for what is out of scope."""
    return metric_of(run.metric, run.options, run.campaign_id, run.created_by_id)


def metric_of(
    name: str, options: Mapping[str, str], campaign_id: int, user_id: int | None
) -> Metric[Any]:
    """The same by its parts."""
    among = Resource.objects.filter(usable_in(campaign=campaign_id, users=(user_id,)))
    try:
        return metric_create(name, options, among)
    except NotFound as error:
        raise ValueError(error.message) from error


def metric_create(name: str, options: Mapping[str, str], among: QuerySet[Resource]) -> Metric[Any]:
    """A metric whose options name resources by key.

    Raises ValueError if the metric, an option or a resource is missing or not ready, and NotFound
    for a key that is none of `among`.
    """
    located = dict(options)
    for option, kind in _kinds(name).items():
        if located.get(option, NONE) != NONE:
            located[option] = str(_path(among, option, kind, located[option]))
    return create(name, located)


def metric_in(
    name: str, options: Mapping[str, str], languages: Sequence[str], among: QuerySet[Resource]
) -> tuple[dict[str, str], Metric[Any]]:
    """The options and the metric for texts in these languages (empty: unknown).

    Raises ValueError like `metric_create`, and if the metric can score none of the texts.
    """
    given = metric_class(name).in_languages(options, languages)
    metric = metric_create(name, given, among)
    if problem := language_problem(metric, languages):
        raise ValueError(problem)
    return given, metric


def readable(spec: str, among: QuerySet[Resource]) -> str:
    """The text of a spec with names of those resources in place of keys, for display."""
    keys = _KEY.findall(spec)
    labels = {str(one.key): one.name for one in among.filter(key__in=keys)} if keys else {}
    return _KEY.sub(lambda match: labels.get(match[0], match[0]), spec)


def stored_options(metric: Metric[Any], given: Mapping[str, str]) -> dict[str, str]:
    """All options of a metric, defaults included, with resources by key."""
    files = {
        option: given[option] if metric.options[option] == NONE else str(UUID(given[option]))
        for option in _kinds(metric.name)
        if option in given
    }
    return {**metric.options, **files}


def _kinds(name: str) -> dict[str, str]:
    return {
        option.name: option.kind
        for option in metric_class(name).OPTIONS
        if isinstance(option, FileOption)
    }


def _path(among: QuerySet[Resource], option: str, kind: str, key: str) -> Path:
    try:
        resource = one_of(among, key=UUID(key), no_such=_("There is no such resource."))
    except ValueError:  # No key at all.
        resource = None
    if resource is None or resource.kind != kind:
        raise ValueError(
            say(
                "%(option)s=%(key)s is no resource of the kind %(kind)s: choose one by its key.",
                option=option,
                key=key,
                kind=kind,
            )
        )
    if resource.status != Resource.Status.READY:
        with override(settings.LANGUAGE_CODE):
            status = say(resource.get_status_display())
        raise ValueError(
            say(
                "%(option)s: %(name)s cannot be used: %(status)s.",
                option=option,
                name=resource.name,
                status=status,
            )
        )
    if not resource.stored.exists():
        raise ValueError(
            say(
                "%(option)s: the files of %(name)s are gone from the data folder: add it again.",
                option=option,
                name=resource.name,
            )
        )
    return resource.stored
