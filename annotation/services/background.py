"""What this app needs of workers. Who runs them registers it at startup (scoring/apps.py).

Without workers nothing is queued: everything is done at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Background:
    """`notify` sends a task with an id after the current transaction; `process_name` is what this
    process signs its claims with; `alive` says whether a worker runs.
    """

    notify: Callable[[str, int], None]
    process_name: Callable[[], str]
    alive: Callable[[], bool]


# Files that workers read as a whole, by what they hold: a function that takes what `items_import`
# takes, and one that returns what else the report says.
WHOLE: dict[str, tuple[Callable[..., Any], Callable[..., dict[str, Any]]]] = {}
_known: list[Background] = []


def register(background: Background) -> None:
    """Use this from now on."""
    _known[:] = [background]


def background() -> Background | None:
    """Return what was registered; None if this site has no workers."""
    return _known[0] if _known else None
