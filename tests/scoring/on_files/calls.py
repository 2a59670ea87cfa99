"""Files that commands read and write."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

Call = Callable[..., Any]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def lines(path: Path) -> list[list[str]]:
    """The cells of every line, that of the header too."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))
