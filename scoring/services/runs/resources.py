"""Resources named in a run's options, resolved to the files that its metric opens.

In a run an option like `vectors=` takes the key of a stored resource, never a path: a path from
a form would let its sender read the server's disk.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.translation import override

from paraanno.plain.sentence import say
from scoring.metrics.base import Metric
from scoring.metrics.files import NONE, FileOption
from scoring.metrics.languages import language_problem
from scoring.metrics.registry import create, metric_class
from scoring.models import Resource

_KEY = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def metric_create(name: str, options: Mapping[str, str]) -> Metric[Any]:
    """A metric whose options name resources by key.

    Raises ValueError if the metric, an option or a resource is missing or not ready.
    """
    located = dict(options)
    for option, kind in _kinds(name).items():
        if located.get(option, NONE) != NONE:
            located[option] = str(_path(option, kind, located[option]))
    return create(name, located)


def metric_in(
    name: str, options: Mapping[str, str], languages: Sequence[str]
) -> tuple[dict[str, str], Metric[Any]]:
    """The options and the metric for texts in these languages (empty: unknown).

    Raises ValueError like `metric_create`, and if the metric can score none of the texts.
    """
    given = metric_class(name).in_languages(options, languages)
    metric = metric_create(name, given)
    if problem := language_problem(metric, languages):
        raise ValueError(problem)
    return given, metric


def readable(spec: str) -> str:
    """The text of a spec with resource names in place of keys, for display."""
    keys = _KEY.findall(spec)
    known = (
        {str(one.key): one.name for one in Resource.objects.filter(key__in=keys)} if keys else {}
    )
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


def _path(option: str, kind: str, key: str) -> Path:
    try:
        found = Resource.objects.filter(key=UUID(key), kind=kind).first()
    except ValueError:
        found = None
    if found is None:
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
