"""The lines that the bench prints: a figure, the goal, how it compares, and what rivals do."""

from __future__ import annotations

import os
from pathlib import Path

# What rivals are set beside: figures by what was measured and on which database.
KEPT: dict[tuple[str, str], float] = {}
HEAD = f"{'':60}{'here':>9}{'goal':>8}  {'reached':8}rivals"


def head(title: str) -> None:
    print(f"\n== {title}; load {os.getloadavg()[0]:.1f}\n{HEAD}", flush=True)


def line(
    what: str,
    here: float,
    unit: str,
    *,
    goal: float | None = None,
    more_is_better: bool = False,
    rivals: str = "",
) -> None:
    """`reached` says how many times as good as the goal the figure is: from 1 on it is reached."""
    number = f"{here:.0f}" if here >= 100 else f"{here:.1f}" if here >= 10 else f"{here:.2f}"
    shown = "" if goal is None else f"{goal:g}"
    times = ""
    if goal is not None and here:
        times = f"x {here / goal if more_is_better else goal / here:.2f}"
    print(f"{what + ', ' + unit:60}{number:>9}{shown:>8}  {times:8}{rivals}".rstrip(), flush=True)


def note(text: str) -> None:
    """Something beside the figures."""
    print(f"      {text}", flush=True)


def peak_memory() -> float:
    """The greatest resident size of this process in MB.

    Not getrusage: a process inherits that figure from the one that started it.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (kilobytes,) = (row.split()[1] for row in status.splitlines() if row.startswith("VmHWM"))
    return int(kilobytes) / 1024
