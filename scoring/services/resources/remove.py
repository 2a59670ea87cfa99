"""Removal of resources, and of files that dead processes left.

A run keeps the hashes of its resources in its signature, so its scores stay explained. A worker
that has a store mapped keeps its mapping.
"""

from __future__ import annotations

import shutil
import time
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.selectors.access import campaigns_read_by
from annotation.selectors.scope import seen_by
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from scoring.models import Build, Resource, Run
from scoring.models.build import FOLDER as BUILDS
from scoring.services.resources.add import INCOMING
from scoring.services.resources.convert import FOLDER, forget_source

GRACE = timedelta(days=1)
# Django's name for an unfinished upload.
UPLOADS = "*.upload*"


def resource_remove(*, resource: Resource, actor: Actor) -> None:
    """Remove a resource and its files. Raises Conflict while an active run or build uses it.

    A conversion in progress stops by itself. Callers check permission first.
    """
    with short_write():
        refuse_in_use(resource=resource, actor=actor)
        audit(
            actor=actor, verb="remove resource", about=resource, campaign=resource.campaign,
            name=resource.name, sha256=resource.sha256,
        )  # fmt: skip
        Resource.objects.filter(pk=resource.pk).delete()
        transaction.on_commit(partial(_forget_files, resource))


def refuse_in_use(*, resource: Resource, actor: Actor) -> None:
    """Raise Conflict while an active run or build uses it. Of campaigns that the actor does not
    read, and of builds that they do not see, it says no name."""
    user = actor if isinstance(actor, User) else None
    for run in Run.objects.filter(status__in=Run.ACTIVE).select_related("campaign"):
        if str(resource.key) not in run.options.values():
            continue
        if user is None or campaigns_read_by(user=user).filter(pk=run.campaign_id).exists():
            raise Conflict(
                _("%(run)s in %(campaign)s is using it: cancel that run, or wait until it ends.")
                % {"run": run.label, "campaign": run.campaign.name}
            )
        raise Conflict(
            _("A run of a campaign that you do not see is using it: wait until it ends.")
        )
    reading = Build.objects.filter(status__in=Build.ACTIVE, inputs__resource=resource)
    named = reading if user is None else reading.filter(seen_by(user=user))
    if (build := named.first()) is not None:
        raise Conflict(
            _("%(name)s is being made from it: cancel that, or wait until it ends.")
            % {"name": build.name}
        )
    if reading.exists():
        raise Conflict(
            _("Something that you do not see is being made from it: wait until it ends.")
        )


def _forget_files(resource: Resource) -> None:
    forget_source(resource)
    if resource.path and not Resource.objects.filter(path=resource.path).exists():
        shutil.rmtree(resource.stored, ignore_errors=True)


def resources_expire() -> int:
    """Remove files that no resource needs and that are a day old; return how many."""
    before = time.time() - GRACE.total_seconds()
    data = Path(settings.DATA_DIR)
    root = data / FOLDER
    found = [path for path in root.glob("*") if path.name != INCOMING]
    # Those of builds that were cancelled, or whose process was killed for the last time.
    found += (data / BUILDS).glob("*")
    found += [*(root / INCOMING).glob("*"), *Path(settings.FILE_UPLOAD_TEMP_DIR).glob(UPLOADS)]
    old = []
    for path in found:
        with suppress(FileNotFoundError):  # Another worker has removed it.
            if path.stat().st_mtime < before:
                old.append(path)
    needed: set[Path] = set()
    if old:
        for pair in Resource.objects.values_list("path", "source"):
            needed.update(data / one for one in pair if one)
        needed.update(one.folder for one in Build.objects.filter(status__in=Build.ACTIVE))
    gone = [path for path in old if path not in needed]
    for path in gone:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(gone)
