"""Resources: permissions, and the rows of their page.

Each has an owner and a scope (`annotation/access.py`). The page is for researchers of any
campaign, and those with the right to may add some; for everybody else it does not exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from annotation.access import (
    ADD_RESOURCES,
    User,
    creator,
    may_keep,
    may_move,
    one_of,
    researches,
    seen_by,
    seen_in,
)
from annotation.errors import NotAllowed, NotFound
from annotation.models import Campaign
from scoring.models import Build, Resource, Run, WorkerBeat
from scoring.models.resources import PLAIN
from scoring.work.workers import alive


@dataclass(frozen=True, slots=True)
class ResourceRow:
    """A resource, how many runs name it, whether this user may remove it, and change its scope."""

    resource: Resource
    runs: int
    own: bool
    moves: bool
    built: Build | None = None  # What made it.

    @property
    def active(self) -> bool:
        return self.resource.status == Resource.Status.CHECKING


def resources_for(
    *, user: User, campaign: Campaign | None = None, add: bool = False
) -> QuerySet[Resource]:
    """The resources that the user sees, with `campaign` those that they may use for it; NotFound
    for users who are not researchers of any campaign, and NotAllowed for those who want to add one
    without the right to."""
    if not researches(user=user):
        raise NotFound(_("There is no such page."))
    if add:
        creator(user=user, what=ADD_RESOURCES)
    rows = Resource.objects.filter(seen_in(user=user, campaign=campaign))
    return rows.select_related("created_by", "campaign")


def resource_get(*, user: User, key: UUID | str, remove: bool = False) -> Resource:
    """One resource. Raises NotFound if this user sees none, and NotAllowed for a removal by a user
    who neither owns it or its campaign nor administers the site."""
    rows = resources_for(user=user)
    resource = one_of(rows, key=key, no_such=_("There is no such resource."))
    if remove and not may_keep(row=resource, user=user):
        raise NotAllowed(
            _("Only the user who added a resource, or an administrator, may remove it.")
        )
    return resource


def names_server_files(*, user: User) -> bool:
    """Whether the user may name files on the server: only administrators of the site."""
    return bool(user.is_authenticated and user.is_superuser)


def resource_rows(*, user: User) -> list[ResourceRow]:
    """The rows of the page; a constant number of queries."""
    resources = list(resources_for(user=user))
    named = _named()
    built = {build.resource_id: build for build in _built(user)}
    return [_row(resource, named, built.get(resource.pk), user) for resource in resources]


def resource_row(*, resource: Resource, user: User) -> ResourceRow:
    """One row of that list."""
    return _row(resource, _named(), _built(user).filter(resource=resource).first(), user)


def inputs_seen(*, user: User) -> Prefetch:
    """Inputs of builds, without the resources that the user does not see."""
    return Prefetch("inputs__resource", Resource.objects.filter(seen_by(user=user)))


def _built(user: User) -> QuerySet[Build]:
    done = Build.objects.filter(seen_by(user=user), status=Build.Status.DONE)
    return done.prefetch_related(inputs_seen(user=user))


def _row(resource: Resource, named: Counter[str], built: Build | None, user: User) -> ResourceRow:
    return ResourceRow(
        resource,
        named[str(resource.key)],
        may_keep(row=resource, user=user),
        may_move(row=resource, user=user),
        built,
    )


def plain_file(*, resource: Resource) -> Path | None:
    """The plain file of a resource that was built; None for others."""
    if not resource.path:
        return None
    return next(resource.stored.glob(f"{PLAIN}.*"), None)


def built_file(*, resource: Resource) -> Path:
    """The plain file of a resource that was built. Raises NotFound for others."""
    path = plain_file(resource=resource)
    if path is None:
        raise NotFound(_("There is no file to download: this resource was not built here."))
    return path


def _named() -> Counter[str]:
    """Number of runs by option value."""
    options = Run.objects.values_list("options", flat=True)
    return Counter(str(value) for one in options.iterator() for value in one.values())


@dataclass(frozen=True, slots=True)
class WorkersMemory:
    """The processes of live workers from `WorkerBeat.memory`, each with its `worker` and whether it
    is the `main` one; and the sums in bytes (`pss` is None if not reported)."""

    processes: tuple[Mapping[str, object], ...]
    pss: int | None
    rss: int


def workers_memory() -> WorkersMemory | None:
    """The memory of the workers; None if none is alive."""
    beats = WorkerBeat.objects.filter(alive()).order_by("host", "pid")
    rows = tuple(
        {"worker": f"{beat.host}:{beat.pid}", "main": row["pid"] == beat.pid, **row}
        for beat in beats
        for row in beat.memory
    )
    if not rows:
        return None
    parts = [row["pss"] for row in rows]
    pss = None if None in parts else sum(parts)
    return WorkersMemory(rows, pss, sum(row["rss"] for row in rows))
