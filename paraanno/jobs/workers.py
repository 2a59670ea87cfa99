"""How workers are woken. Who runs them registers it at startup (scoring/apps.py).

Without workers nothing is queued: everything is done at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Workers:
    """`notify` sends a task with its arguments after the current transaction; `alive` says whether
    a worker runs."""

    notify: Callable[..., None]
    alive: Callable[[], bool]


_registered: list[Workers] = []


def register(workers: Workers) -> None:
    """Use these from now on."""
    _registered[:] = [workers]


def workers() -> Workers | None:
    """Return what was registered; None if this site has no workers."""
    return _registered[0] if _registered else None
