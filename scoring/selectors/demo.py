"""Whether the metric runs of the demo are still to be started."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings


def demo_mark() -> Path:
    """The file that asks for these runs: it holds the id of the campaign until they are started."""
    return Path(settings.DATA_DIR) / "demo_runs_pending"


def demo_pending() -> int | None:
    """The id of the campaign whose runs are asked for; None if there is none."""
    try:
        return int(demo_mark().read_text(encoding="ascii"))
    except FileNotFoundError:
        return None
