"""Letters: written beside what causes them, sent by workers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotation.models import Letter

# By kind, what becomes of a row that is no letter yet: a worker finds out who gets one, in a
# transaction, and deletes it.
UNFOLD: dict[str, Callable[[Letter], None]] = {}
