"""Restoring a campaign from an archive, which may be a stranger's.

The file is read twice. First everything is checked, outside any transaction. Then all rows are
inserted in one transaction: a new campaign is there whole or not at all, whatever happens in
between. Only reading the lines again is inside it, since the checked rows of a large campaign need
more memory than a worker should take; docs/archives.md says how long it takes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any, BinaryIO

from django.conf import settings
from django.db import DatabaseError, DataError, IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Campaign, Membership
from annotation.selectors.verify import verify
from annotation.services.audit import Actor, audit
from annotation.services.bulk import bulk_insert, reserve_ids
from annotation.services.people.creators import quota_check
from annotation.services.transactions import short_write
from paraanno.plain.sentence import say
from scoring.archives import ArchiveRefused, Limits, Manifest, open_archive
from scoring.models import Look
from scoring.selectors.archives.rows import NOW
from scoring.selectors.archives.tables import TABLES
from scoring.selectors.ratings.fingerprint import judgments_state
from scoring.services.archives.making import Making

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


def _slug(asked: str, manifest: Manifest) -> str:
    about = manifest.about.get("campaign")
    slug = asked or (about.get("slug") if isinstance(about, dict) else None)
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
