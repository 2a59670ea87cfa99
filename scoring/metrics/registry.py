"""Metrics by name. A module is imported when its metric is first asked for.

A package of someone else adds a metric by the entry-point group `paraanno.metrics`:

    [project.entry-points."paraanno.metrics"]
    mymetric = "mypackage.mymodule:MyMetric"
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from scoring.metrics.base import Metric

GROUP = "paraanno.metrics"

_TARGETS = {
    "bleu": "scoring.metrics.bleu:Bleu",
    "pinc": "scoring.metrics.pinc:Pinc",
    "weem4pg": "scoring.metrics.weem4pg:Weem4pg",
}


def register(name: str, target: str) -> None:
    """Make `module:Class` known as `name`; a name that is taken raises ValueError."""
    if _targets().get(name, target) != target:
        raise ValueError(f"There is already a metric called {name}: choose another name.")
    _TARGETS[name] = target
    metric_class.cache_clear()


def names() -> tuple[str, ...]:
    """The names of all metrics, sorted."""
    return tuple(sorted(_targets()))


@cache
def metric_class(name: str) -> type[Metric[Any]]:
    """The class called `name`; ValueError where there is none or it cannot be loaded."""
    target = _targets().get(name)
    if target is None:
        raise ValueError(f"There is no metric called {name}; there are {', '.join(names())}.")
    module, _, attribute = target.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"The metric {name} cannot be loaded from {target}: {error}") from error
    if not (isinstance(found, type) and issubclass(found, Metric)):
        raise ValueError(f"The metric {name} at {target} is no subclass of Metric.")
    return found


def create(name: str, options: Mapping[str, object] | None = None) -> Metric[Any]:
    """A metric with its options, checked."""
    return metric_class(name)(**(options or {}))


def _targets() -> dict[str, str]:
    found = dict(_TARGETS)
    for entry in _foreign():
        if found.get(entry.name, entry.value) != entry.value:
            raise ValueError(
                f"Two metrics are called {entry.name}: {found[entry.name]} and {entry.value}. "
                "Uninstall one of the packages."
            )
        found[entry.name] = entry.value
    return found


def _foreign() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))
