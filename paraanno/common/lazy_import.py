"""Functions that are imported when they are first called.

Apps register them at startup, which every process and every command goes through; what such a
function needs takes longer to load than all the rest of a start.
"""

from __future__ import annotations

from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any

LATE: list[str] = []


def late(path: str) -> Callable[..., Any]:
    """Return the function at `package.module:name`, which is imported with the first call."""
    LATE.append(path)

    def call(*arguments: Any, **named: Any) -> Any:
        return resolve_name(path)(*arguments, **named)

    return call
