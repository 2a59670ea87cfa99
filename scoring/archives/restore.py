"""Restoring a campaign from an archive, which may be a stranger's.

The file is read twice. First everything is checked, outside any transaction. Then all rows are
inserted in one transaction: a new campaign is there whole or not at all, whatever happens in
between. Only reading the lines again is inside it, since the checked rows of a large campaign need
more memory than a worker should take; docs/archives.md says how long it takes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, BinaryIO
from uuid import UUID, uuid4

from django.conf import settings
from django.db import DatabaseError, DataError, IntegrityError, models
from django.utils.translation import gettext as _

from annotation.access import quota_check
from annotation.database import Actor, audit, bulk_insert, reserve_ids, short_write
from annotation.errors import Invalid
from annotation.models import Campaign, Membership, Phrase
from annotation.verify import verify
from paraanno import clock
from paraanno.common.texts import Sentence, SentenceError, message_of, say
from scoring.archives.derived import DERIVED, Derive
from scoring.archives.file_format import (
    Archive,
    ArchiveRefused,
    Limits,
    Manifest,
    TableFile,
    open_archive,
)
from scoring.archives.rows import (
    NOW,
    UNNAMED,
    BadCell,
    Check,
    changed_texts,
    reader_of,
    readers,
    sound,
)
from scoring.archives.tables import TABLES, ArchiveTable
from scoring.models import Look
from scoring.ratings.choice import judgments_state

# Rows of an archive as rows for the database: every cell checked, every number of a row in bounds,
# and what is unique in a site or a hash made anew.


Row = tuple[Any, ...]
TELL_EVERY = 5000


@dataclass(slots=True)
class Ground:
    """What rows refer to.

    counts   how many rows each model has in the archive
    ids      their new primary keys, in order
    keys     their new keys, by the name of the table, of tables that JSON may name
    phrases  the texts of the phrases, which the hashes of items are made from
    """

    counts: Mapping[type[models.Model], int]
    ids: Mapping[type[models.Model], Sequence[int]] = field(default_factory=dict)
    keys: dict[str, list[UUID]] = field(default_factory=dict)
    phrases: list[str] = field(default_factory=list)
    texts: Callable[[str], str] = str


class Making:
    """Reads an archive twice: `check` refuses what is wrong, `rows` makes what is inserted."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        listed = archive.manifest.tables
        if strange := sorted(set(listed) - {table.name for table in TABLES}):
            raise ArchiveRefused(say("it has a table that is not known: %(name)s", name=strange[0]))
        self.counts = {
            table.model: listed[table.name].rows if table.name in listed else 0 for table in TABLES
        }
        if self.counts[Campaign] != 1:
            raise ArchiveRefused(say("it does not hold one campaign"))
        self.ground = Ground(self.counts)
        self._makers = {
            table.model: _Maker(table, listed[table.name], self.ground)
            for table in TABLES
            if table.name in listed
        }

    @property
    def total(self) -> int:
        """How many rows it has."""
        return sum(self.counts.values())

    def check(self, tell: Callable[[int], None] | None = None) -> None:
        """Read everything once. Raises ArchiveRefused, which names the file and the line."""
        done = 0
        for model, maker in self._makers.items():
            for line, cells in enumerate(self.archive.rows(maker.table.name), 1):
                values = maker.checked(cells, line)
                if model is Phrase:
                    self.ground.phrases.append(values["text"])
                done += 1
                if tell is not None and done % TELL_EVERY == 0:
                    tell(done)

    def begin(
        self, ids: Mapping[type[models.Model], Sequence[int]], user_id: int | None = None
    ) -> None:
        """Give the rows their new primary keys and keys; call it before `rows`. `user_id` restores
        it."""
        self.ground.ids = ids
        self.ground.keys = {
            table.name: [uuid4() for _ in range(self.counts[table.model])]
            for table in TABLES
            if "key" in table.left and table.name not in UNNAMED
        }
        self.ground.texts = reader_of(self.ground.keys, user_id)

    def columns(self, model: type[models.Model]) -> list[str]:
        """The columns of `rows`."""
        return [one.attname for one in model._meta.concrete_fields]

    def rows(self, model: type[models.Model]) -> Iterator[Row]:
        """The rows of a model with all its columns; none if the archive has no such table."""
        maker = self._makers.get(model)
        if maker is None:
            return
        order = [one.name for one in model._meta.concrete_fields]
        table_rows = self.archive.rows(maker.table.name)
        if maker.plain:
            yield from maker.quick(table_rows, order)
            return
        for line, cells in enumerate(table_rows, 1):
            values = maker.finished(cells, line)
            yield tuple(values[name] for name in order)


class _Maker:
    """Makes the rows of one table."""

    def __init__(self, table: ArchiveTable, listed: TableFile, ground: Ground) -> None:
        self.table, self._listed, self._ground = table, listed, ground
        if strange := sorted(set(listed.columns) - set(table.columns)):
            raise ArchiveRefused(
                say(
                    "%(file)s has a column that is not known: %(name)s",
                    file=listed.member,
                    name=strange[0],
                )
            )
        self._columns = listed.columns
        self._checks = [self._check_of(name) for name in listed.columns]
        self._links = [
            (name, target)
            for name in listed.columns
            if name not in table.special and (target := table.target(name)) is not None
        ]
        self._rest = [
            (one.name, self._fill(one))
            for one in table.model._meta.concrete_fields
            if one.name not in listed.columns
        ]
        self._derive: Derive | None = DERIVED.get(table.model)

    def checked(self, cells: list[Any], line: int) -> dict[str, Any]:
        """The values by column; a foreign key is still the number of a row."""
        at = 0
        try:
            values: dict[str, Any] = {}
            for at, check in enumerate(self._checks):
                values[self._columns[at]] = check(cells[at])
        except BadCell as error:
            raise self._refused(line, message_of(error), self._columns[at]) from error
        if self._derive is not None and not self._ground.ids:
            self._derived(dict(values), line)
        return values

    @property
    def plain(self) -> bool:
        """Whether a row is its cells, but for times and foreign keys."""
        return self._derive is None and not self.table.tokens and not self.table.special

    def quick(self, rows: Iterable[list[Any]], order: Sequence[str]) -> Iterator[Row]:
        """The same as `finished`, of rows that were checked before: most rows are such, and they
        are made while others wait for the database."""
        place = {name: at for at, name in enumerate(self._columns)}
        times = [
            (place[name], check)
            for name, check in zip(self._columns, self._checks, strict=True)
            if isinstance(self.table.field_of(name), models.DateField)
        ]
        links = [(place[name], self._ground.ids[target]) for name, target in self._links]
        rest = {name: len(place) + at for at, (name, _fill) in enumerate(self._rest)}
        fills = [fill for _name, fill in self._rest]
        chosen = itemgetter(*((place | rest)[name] for name in order))
        for line, cells in enumerate(rows, 1):
            for at, check in times:
                cells[at] = check(cells[at])
            for at, ids in links:
                if cells[at] is not None:
                    cells[at] = ids[cells[at] - 1]
            cells += [fill(line) for fill in fills]
            yield chosen(cells)

    def finished(self, cells: list[Any], line: int) -> dict[str, Any]:
        """The values of all fields, with new primary keys, keys and hashes."""
        values = self.checked(cells, line)
        for name in self.table.tokens & values.keys():
            values[name] = changed_texts(values[name], self._ground.texts)
        if self._derive is not None:
            self._derived(values, line)
        ids = self._ground.ids
        for name, target in self._links:
            if values[name] is not None:
                values[name] = ids[target][values[name] - 1]
        for name, fill in self._rest:
            if name not in values:
                values[name] = fill(line)
        return values

    def _derived(self, values: dict[str, Any], line: int) -> None:
        assert self._derive is not None  # noqa: S101
        try:
            values.update(self._derive(values, line, self._ground))
        except SentenceError as error:
            raise self._refused(line, message_of(error)) from error
        except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
            raise self._refused(line, say("the row contradicts itself")) from error

    def _refused(self, line: int, why: str, column: str = "") -> ArchiveRefused:
        where = {"file": self._listed.member, "line": line, "why": why}
        if column:
            return ArchiveRefused(
                say("%(file)s, line %(line)s, %(column)s: %(why)s", **where, column=column)
            )
        return ArchiveRefused(say("%(file)s, line %(line)s: %(why)s", **where))

    def _check_of(self, name: str) -> Check:
        if name in self.table.special and self.table.target(name) is not None:
            return _plain_text
        target = self.table.target(name)
        if target is None:
            return readers(self.table, (name,))[0]
        return _row_number(self._ground.counts[target], self.table.field_of(name).null)

    def _fill(self, one: models.Field[Any, Any]) -> Callable[[int], Any]:
        """What a field has that the file lacks."""
        model = self.table.model
        if one.primary_key:
            return lambda line: self._ground.ids[model][line - 1]
        if one.name == "campaign":
            return lambda line: self._ground.ids[Campaign][0]
        if one.name == "key":
            keys = self._ground.keys
            name = self.table.name
            return lambda line: keys[name][line - 1] if name in keys else uuid4()
        if isinstance(one, models.UUIDField):
            return (lambda line: None) if one.null else (lambda line: uuid4())
        if getattr(one, "auto_now_add", False):
            return lambda line: clock.now()
        if one.has_default() or one.null or one.blank or one.name in self.table.left:
            return lambda line: one.get_default()
        raise ArchiveRefused(
            say("%(file)s lacks the column %(name)s", file=self._listed.member, name=one.name)
        )


def _row_number(count: int, null: bool) -> Check:
    def check(cell: Any) -> int | None:
        if cell is None and null:
            return None
        if type(cell) is not int or not 1 <= cell <= count:
            raise BadCell(_no_row(cell))
        return cell

    return check


def _no_row(cell: object) -> Sentence:
    return say("it refers to a row that is not there: %(row)s", row=ascii(cell)[:40])


def _plain_text(cell: Any) -> str:
    if type(cell) is not str or len(cell) > 100:
        raise BadCell(say("%(cell)s is no text", cell=ascii(cell)[:40]))
    return sound(cell)


SLUG = re.compile(r"[-a-zA-Z0-9_]{1,60}")
Tell = Callable[[int, int], None]


def limits() -> Limits:
    """What this site unpacks at most."""
    return Limits(unpacked=settings.ARCHIVE_MAX_BYTES)


def archive_restore(
    *,
    stream: BinaryIO,
    actor: Actor,
    slug: str = "",
    tell: Tell | None = None,
    within: Callable[[Campaign], None] | None = None,
) -> Campaign:
    """Make a campaign of an archive; its only member is `actor`, as owner.

    slug    of the new campaign; by default the one in the archive
    tell    called with the rows done and their total: each counts when checked and when written
    within  called with the campaign inside the transaction that makes it

    Callers check that the actor may create campaigns (`selectors.access.creator`). Raises
    ArchiveRefused for a file that is not as an archive is, and Invalid for a slug that is taken.
    """
    digest = hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]
    stream.seek(0)
    archive = open_archive(stream, limits())
    making = Making(archive)
    slug = _slug(slug, archive.manifest)
    total = 2 * making.total
    making.check((lambda done: tell(done, total)) if tell is not None else None)
    origin = _origin(archive.manifest, digest)
    try:
        with short_write():
            quota_check(actor=actor, model=Campaign, most=settings.CAMPAIGNS_PER_USER)
            if Campaign.objects.filter(slug=slug).exists():
                raise Invalid(_taken(slug))
            campaign = _insert(making, slug, origin, actor)
            if within is not None:
                within(campaign)
    except DatabaseError as error:
        if not isinstance(error, DataError | IntegrityError):
            raise  # A full disk, a lost connection: the file is not to blame.
        raise ArchiveRefused(
            say("its rows contradict each other: %(why)s", why=str(error).splitlines()[0][:200])
        ) from error
    return campaign


def _insert(making: Making, slug: str, origin: dict[str, Any], actor: Actor) -> Campaign:
    ids = {one.model: reserve_ids(one.model, making.counts[one.model]) for one in TABLES}
    making.begin(ids, actor.pk if actor is not None else None)
    for table in TABLES:
        rows = making.rows(table.model)
        if table.model is Campaign:
            rows = _with_slug(making, rows, slug)
        bulk_insert(table.model, making.columns(table.model), rows)
    campaign = Campaign.objects.get(slug=slug)
    campaign.origin = origin
    campaign.created_by_id = actor.pk if actor is not None else None
    campaign.save(update_fields=["origin", "created_by"])
    Look.objects.filter(campaign=campaign, state=NOW).update(
        state=judgments_state(campaign=campaign)
    )
    if broken := verify(campaign=campaign):
        raise ArchiveRefused(say("its rows break a rule: %(rule)s", rule=broken[0].rule))
    if actor is not None and actor.pk is not None:
        Membership.objects.create(campaign=campaign, user_id=actor.pk, role=Membership.Role.OWNER)
    audit(actor=actor, verb="restore", about=campaign, campaign=campaign, **origin)
    return campaign


def _with_slug(making: Making, rows: Any, slug: str) -> Any:
    at = making.columns(Campaign).index("slug")
    for row in rows:
        yield (*row[:at], slug, *row[at + 1 :])


def _slug(requested: str, manifest: Manifest) -> str:
    about = manifest.about.get("campaign")
    slug = requested or (about.get("slug") if isinstance(about, dict) else None)
    if not isinstance(slug, str) or not SLUG.fullmatch(slug):
        raise Invalid(_("A short name has letters, digits, - and _, at most 60: choose one."))
    if Campaign.objects.filter(slug=slug).exists():
        raise Invalid(_taken(slug))
    return slug


def _taken(slug: str) -> str:
    return _("A campaign %(slug)s exists already: choose another short name.") % {
        "slug": f"{slug!r}"
    }


def _origin(manifest: Manifest, digest: str) -> dict[str, Any]:
    """Where the campaign came from, as its pages say."""
    about = manifest.about.get("campaign")
    named = about if isinstance(about, dict) else {}
    return {
        "kind": "archive",
        "slug": str(named.get("slug", ""))[:60],
        "name": str(named.get("name", ""))[:200],
        "made_at": str(manifest.about.get("made_at", ""))[:40],
        "made_with": str(manifest.about.get("made_with", ""))[:60],
        "sha256": digest,
    }
