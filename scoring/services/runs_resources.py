"""From the resources that a run's options name to the files that its metric opens.

In a run an option like `vectors=` takes the key of a stored resource, never a path: a path from
a form would let its sender read the server's disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext as _

from scoring.metrics.base import Metric
from scoring.metrics.files import NONE, FileOption
from scoring.metrics.registry import create, metric_class
from scoring.models import Resource


def metric_create(name: str, options: Mapping[str, str]) -> Metric[Any]:
    """A metric whose options name resources by key.

    Raises ValueError where the metric, an option or a resource is not there or not ready.
    """
    located = dict(options)
    for option, kind in _kinds(name).items():
        if located.get(option, NONE) != NONE:
            located[option] = str(_path(option, kind, located[option]))
    return create(name, located)


def stored_options(metric: Metric[Any], given: Mapping[str, str]) -> dict[str, str]:
    """All options of a metric with defaults, resources by their key as they were given."""
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
            _("%(option)s=%(key)s is no resource of the kind %(kind)s: choose one by its key.")
            % {"option": option, "key": key, "kind": kind}
        )
    if found.status != Resource.Status.READY:
        raise ValueError(
            _("%(option)s: %(name)s cannot be used: %(status)s.")
            % {"option": option, "name": found.name, "status": found.get_status_display()}
        )
    return Path(settings.DATA_DIR) / found.path
