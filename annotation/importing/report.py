"""Import files into campaigns: what an import reports.

A file is parsed and compared with the campaign before anything is written. If it has any error,
nothing is written. The rows are then written in short transactions, each complete in itself, so
that annotators can keep saving. Importing again changes nothing and completes an interrupted
import. What another tool showed is searched for verbatim in the texts of the campaign.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import PurePath
from typing import Any, BinaryIO, TypeVar

from django.db import connection

from annotation.database import Actor, audit, short_write
from annotation.errors import DomainError
from annotation.importers.items import ROLES, ItemRow, Target
from annotation.models import (
    Campaign,
    ImportBatch,
    Item,
    Output,
    OutsideId,
    Phrase,
    Reference,
    Substitution,
    System,
)
from annotation.models.fields import text_digest
from paraanno.common.texts import Problem, Sentence, say, shown

logger = logging.getLogger(__name__)
# What else follows an import of texts, or its end, in a campaign whose `run_metrics` is on: other
# apps add it (scoring/apps.py). The texts are there by then.
FOLLOWERS: list[Callable[[Campaign, Actor], object]] = []


def followers_call(*, campaign: Campaign, actor: Actor) -> None:
    """Call what follows an import if the campaign wants it; a refusal is logged, as the texts are
    imported by then."""
    if not Campaign.objects.filter(pk=campaign.pk, run_metrics=True).exists():
        return
    for follower in FOLLOWERS:
        try:
            follower(campaign, actor)
        except DomainError as refusal:
            logger.warning("Nothing followed an import into %s: %s", campaign.slug, refusal.message)


# Reports of imports.


T = TypeVar("T")
LOOKUP = 900  # SQLite allows 999 values in an IN list.


@dataclass(frozen=True, slots=True)
class AddedText:
    """One text, and what is new of it: systems that gave it, or values."""

    text: str
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextChange:
    """What one original gets. `new`: the original is new too. `line` is where the file names it
    first; `before` and `after` are the sentence around the phrase."""

    line: int
    new: bool
    before: str
    phrase: str
    after: str
    texts: tuple[AddedText, ...]
    references: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of an import; `counts` are the new rows (in a dry run, those that would be new).

    If `problems` has an error, nothing was written. `changes` are reported by a dry run: the first
    texts that change.
    """

    problems: tuple[Problem, ...]
    rows: int
    counts: dict[str, int] = field(default_factory=dict)
    dry_run: bool = False
    batch: ImportBatch | None = None
    changes: tuple[TextChange, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings are allowed."""
        return not any(problem.severity == "error" for problem in self.problems)


def pieces(values: Iterable[T], size: int = LOOKUP) -> Iterator[list[T]]:
    """Yield the values in lists of at most `size`."""
    pile = iter(values)
    while part := list(islice(pile, size)):
        yield part


def digest_of(stream: BinaryIO) -> str:
    """Return the SHA-256 of the stream and rewind it."""
    stream.seek(0)
    digest = hashlib.sha256()
    while chunk := stream.read(2**20):
        digest.update(chunk)
    stream.seek(0)
    return digest.hexdigest()


def batch_make(
    *,
    campaign: Campaign,
    what: str,
    name: str,
    sha256: str,
    rows: int,
    counts: dict[str, int],
    actor: Actor,
    provenance: Mapping[str, Any] | None = None,
    pk: int | None = None,
) -> ImportBatch:
    """Create the row that records the imported file, without the folders of the machine that a
    command ran on; call it inside the first write. `provenance` says how the file was made, if it
    was made here; `pk` is a reserved id."""
    name = PurePath(name).name[:255]
    batch = ImportBatch.objects.create(
        pk=pk,
        campaign=campaign,
        what=what,
        file_name=name,
        sha256=sha256,
        rows=rows,
        counts=counts,
        provenance=dict(provenance or {}),
        created_by_id=actor.pk if actor else None,
    )
    audit(
        actor=actor,
        verb=f"import {what}",
        about=batch,
        campaign=campaign,
        file=name,
        sha256=sha256,
        **counts,
    )
    return batch


def errors_first(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Sort errors before warnings, each in file order."""
    return tuple(sorted(problems, key=lambda problem: problem.severity != "error"))


# Imports that are whole or not there at all.


# SQLite has one writer, and a hundred thousand judgments keep it busy for two seconds. A larger
# file is written in parts, so that annotators can keep saving; PostgreSQL lets them save anyway.
WHOLE_ON_SQLITE = 100_000


def is_whole(rows: int) -> bool:
    """Whether so many rows are written in one transaction, or part by part."""
    return connection.vendor == "postgresql" or rows <= WHOLE_ON_SQLITE


@contextmanager
def whole_write(whole: bool) -> Iterator[None]:
    """Make one transaction of the parts written inside if `whole`; else each stands by itself."""
    if whole:
        with short_write():
            yield
    else:
        yield


def made_before(parts: Iterable[T], whole: bool) -> Iterable[T]:
    """The parts of a `whole` import, all made by now on SQLite: annotators who save wait while it
    is written, and for nothing else. PostgreSQL lets them save, and takes any number of parts: they
    are made one after the other, as those of an import that is not whole."""
    return list(parts) if whole and connection.vendor == "sqlite" else parts


# Find the stored substitution that a row of judgments or gold refers to.


@dataclass(slots=True)
class Targets:
    """Lookups by outside id and by text."""

    outside: dict[str, int] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)
    identities: dict[int, str] = field(default_factory=dict)
    substitutions: dict[tuple[int, str, str, str], int] = field(default_factory=dict)
    displayed: Displayed | None = None
    _resolved: dict[tuple[object, ...], int | Sentence] = field(default_factory=dict)

    def find(self, target: Target) -> int | Sentence:
        """Return the substitution's primary key, or a sentence that says what is wrong."""
        key = (target.item, target.sentence, target.start, target.any_role, *target.key)
        resolved = self._resolved.get(key)
        if resolved is None:
            resolved = self._resolved[key] = self._find(target)
        return resolved

    def _find(self, target: Target) -> int | Sentence:
        if target.displayed is not None and self.displayed is not None:
            return self.displayed.find(target.displayed)
        item = None
        if target.item is not None:
            item = self.outside.get(target.item)
            if item is None and target.sentence is None:
                return say(
                    "there is no item %(item)s in the campaign: import it first",
                    item=shown(target.item),
                )
        if target.sentence is not None:
            identity = identity_of(target)
            if item is not None and self.identities[item] != identity:
                return say(
                    "item %(item)s has another text or span in the campaign than %(sentence)s: "
                    "correct the id or the text",
                    item=shown(target.item or ""),
                    sentence=shown(target.sentence),
                )
            item = self.items.get(identity)
        if item is None:
            return say(
                "the campaign has no item %(phrase)s in %(sentence)s: import it first",
                phrase=shown(target.phrase or ""),
                sentence=shown(target.sentence or ""),
            )
        return self._of_item(item, target) or say(
            "the item has no paraphrase %(text)s: import it first", text=shown(target.paraphrase)
        )

    def _of_item(self, item: int, target: Target) -> int | Sentence | None:
        """Return the text of an item: of the role that the file names, else the output of systems,
        else the only one of another role."""
        names = text_digest(target.paraphrase), context_of(target)
        substitution = self.substitutions.get((item, target.role, *names))
        if substitution is not None or not target.any_role:
            return substitution
        others = {role: self.substitutions.get((item, role, *names)) for role in ROLES}
        by_role = {role: pk for role, pk in others.items() if pk is not None}
        if len(by_role) > 1:
            return say(
                "%(text)s is there as %(roles)s: say which in a column role",
                text=shown(target.paraphrase),
                roles=", ".join(by_role),
            )
        return next(iter(by_role.values()), None)


def identity_of(row: Target | ItemRow) -> str:
    """Return the hash that identifies the item of a row."""
    return text_digest(row.phrase, row.sentence, row.start, row.end)


def context_of(row: Target | ItemRow) -> str:
    """Return the hash of a substitution's own sentence and span; empty if it has none."""
    if row.own_sentence is None:
        return ""
    return text_digest(row.own_sentence, row.own_start, row.own_end)


def load_targets(
    *, campaign: Campaign, targets: Sequence[Target], displayed: Displayed | None = None
) -> Targets:
    """Look up the targets; the cost depends only on their number, but for those that are named by
    what was displayed: the first of them loads the campaign's texts, once for `displayed`."""
    loaded = Targets(displayed=displayed or Displayed(campaign))
    named = {target.item for target in targets if target.item is not None}
    for part in pieces(named):
        rows = OutsideId.objects.filter(campaign=campaign, value__in=part)
        for value, item, identity in rows.values_list("value", "item_id", "item__identity_hash"):
            loaded.outside[value] = item
            loaded.identities[item] = identity
    texts = {
        (target.phrase, target.sentence, target.start, target.end)
        for target in targets
        if target.sentence is not None
    }
    for digests in pieces({text_digest(*text) for text in texts}):
        for pk, digest in Item.objects.filter(
            campaign=campaign, identity_hash__in=digests
        ).values_list("pk", "identity_hash"):
            loaded.items[digest] = pk
    for items in pieces({*loaded.outside.values(), *loaded.items.values()}):
        rows_ = Substitution.objects.filter(item__in=items).values_list(
            "item_id", "role", "text_hash", "context_hash", "pk"
        )
        for item, role, digest, context, pk in rows_.iterator(chunk_size=5000):
            loaded.substitutions[item, role, digest, context] = pk
    return loaded


# Look up which of a file's rows the campaign already has, by hash.
#
# The cost depends on the size of the file, not of the campaign.


Attributes = dict[str, Any]
SubstitutionKey = tuple[str, str, str, str]  # item's identity, role, text hash, context hash


@dataclass(slots=True)
class Stored:
    """Primary keys and attributes by the natural keys of the rows."""

    phrases: dict[str, int] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)
    languages: dict[str, str] = field(default_factory=dict)  # of items, empty: the campaign's
    outside: dict[str, str] = field(default_factory=dict)  # outside id -> item's identity
    sentences: dict[str, str] = field(default_factory=dict)  # of items met through an outside id
    systems: dict[str, int] = field(default_factory=dict)
    substitutions: dict[SubstitutionKey, int] = field(default_factory=dict)
    outputs: dict[tuple[str, str, int], SubstitutionKey | None] = field(default_factory=dict)
    output_ids: dict[tuple[str, str, int], int] = field(default_factory=dict)
    references: dict[str, dict[str, int]] = field(default_factory=dict)
    attributes: dict[tuple[str, Any], Attributes] = field(default_factory=dict)


def load_stored(
    *, campaign: Campaign, phrases: Iterable[str], items: Iterable[str], outside: Iterable[str]
) -> Stored:
    """Look up phrases and items by hash, outside ids by value, and all systems."""
    stored = Stored()
    for part in pieces(phrases):
        for pk, digest, attributes in Phrase.objects.filter(
            campaign=campaign, text_hash__in=part
        ).values_list("pk", "text_hash", "attributes"):
            stored.phrases[digest] = pk
            stored.attributes["phrase", digest] = attributes
    for part in pieces(outside):
        for value, identity, sentence in OutsideId.objects.filter(
            campaign=campaign, value__in=part
        ).values_list("value", "item__identity_hash", "item__sentence"):
            stored.outside[value] = identity
            stored.sentences[identity] = sentence
    for pk, label, attributes in System.objects.filter(campaign=campaign).values_list(
        "pk", "label", "attributes"
    ):
        stored.systems[label] = pk
        stored.attributes["system", label] = attributes
    for part in pieces(items):
        _load_items(stored, campaign, part)
    return stored


def _load_items(stored: Stored, campaign: Campaign, identities: list[str]) -> None:
    names: dict[int, str] = {}
    for pk, digest, attributes, language in Item.objects.filter(
        campaign=campaign, identity_hash__in=identities
    ).values_list("pk", "identity_hash", "attributes", "language"):
        names[pk] = digest
        stored.items[digest] = pk
        stored.languages[digest] = language
        stored.attributes["item", digest] = attributes
    for item, digest, position in Reference.objects.filter(item__in=names).values_list(
        "item_id", "text_hash", "position"
    ):
        stored.references.setdefault(names[item], {})[digest] = position
    keys: dict[int, SubstitutionKey] = {}
    for pk, item, role, text, context, attributes in Substitution.objects.filter(
        item__in=names
    ).values_list("pk", "item_id", "role", "text_hash", "context_hash", "attributes"):
        keys[pk] = (names[item], role, text, context)
        stored.substitutions[keys[pk]] = pk
        stored.attributes["substitution", keys[pk]] = attributes
    for pk, item, system, rank, substitution, attributes in Output.objects.filter(
        item__in=names
    ).values_list("pk", "item_id", "system__label", "rank", "substitution_id", "attributes"):
        key = (names[item], system, rank)
        stored.outputs[key] = None if substitution is None else keys[substitution]
        stored.output_ids[key] = pk
        stored.attributes["output", key] = attributes


# Texts in what another tool showed.


START = 12  # characters by which a sentence is looked up


@dataclass(frozen=True, slots=True)
class _Text:
    """A substitution: its original, and what is shown of it."""

    pk: int
    original: str
    paraphrase: str


def plain(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


class Displayed:
    """The texts of a campaign by the beginnings of their originals, loaded when they are needed."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._texts: dict[str, list[_Text]] | None = None

    def find(self, displayed: str) -> int | Sentence:
        """Return the substitution that was shown, or a sentence that says what is wrong."""
        where = plain(displayed)
        texts = self._loaded()
        starts = {where[at : at + START] for at in range(len(where))}
        near = [one for start in starts for one in texts.get(start, ())]
        matches = [one for one in near if _shows(where, one)]
        if not matches:
            return say(
                "no text of the campaign stands in %(shown)s: import its original and its "
                "paraphrase first, as they were shown",
                shown=shown(where),
            )
        best = max(matches, key=lambda one: (len(one.original), len(one.paraphrase)))
        others = [
            one
            for one in matches
            if one.original not in best.original or one.paraphrase not in best.paraphrase
        ]
        same = [
            one
            for one in matches
            if (one.original, one.paraphrase) == (best.original, best.paraphrase)
        ]
        if others or len(same) > 1:
            return say(
                "several texts of the campaign stand in %(shown)s: name the text by a column of "
                "its own",
                shown=shown(where),
            )
        return best.pk

    def _loaded(self) -> dict[str, list[_Text]]:
        if self._texts is None:
            self._texts = {}
            rows = Substitution.objects.filter(
                campaign=self._campaign, role=Substitution.Role.OUTPUT
            ).select_related("item")
            for one in rows.iterator(chunk_size=2000):
                text = _Text(one.pk, plain(one.item.sentence), plain(one.sentence()))
                self._texts.setdefault(text.original[:START], []).append(text)
        return self._texts


def _shows(where: str, one: _Text) -> bool:
    """Whether the original stands there, and the paraphrase beside it."""
    at = where.find(one.original)
    if at < 0:
        return False
    rest = f"{where[:at]}\n{where[at + len(one.original) :]}"
    return one.paraphrase in rest
