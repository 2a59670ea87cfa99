"""Resources named in a run's options, resolved to the files that its metric opens.

In a run an option like `vectors=` takes the key of a stored resource, never a path: a path from
a form would let its sender read the server's disk. The resource is one that may be used for the
campaign (`among`): what is out of scope is not there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override

from annotation.errors import NotFound
from annotation.selectors.scope import one_of, usable_in
from annotation.services.audit import Actor
from paraanno.plain.sentence import say
from scoring.metrics.base import Metric
from scoring.metrics.files import NONE, FileOption
from scoring.metrics.languages import language_problem
from scoring.metrics.registry import create, metric_class
from scoring.models import Resource, Run

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
    known = {str(one.key): one.name for one in among.filter(key__in=keys)} if keys else {}
    return _KEY.sub(lambda found: known.get(found[0], found[0]), spec)


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
        found = one_of(among, key=UUID(key), no_such=_("There is no such resource."))
    except ValueError:  # No key at all.
        found = None
    if found is None or found.kind != kind:
        raise ValueError(
            say(
                "%(option)s=%(key)s is no resource of the kind %(kind)s: choose one by its key.",
                option=option, key=key, kind=kind,
            )
        )  # fmt: skip
    if found.status != Resource.Status.READY:
        with override(settings.LANGUAGE_CODE):
            status = say(found.get_status_display())
        raise ValueError(
            say(
                "%(option)s: %(name)s cannot be used: %(status)s.",
                option=option, name=found.name, status=status,
            )
        )  # fmt: skip
    if not found.stored.exists():
        raise ValueError(
            say(
                "%(option)s: the files of %(name)s are gone from the data folder: add it again.",
                option=option, name=found.name,
            )
        )  # fmt: skip
    return found.stored
