"""The badge of a task: a small picture for other pages."""

from __future__ import annotations

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from scoring.shared_tasks.models import SharedTask

LETTER = 7  # px of a letter, about: a badge loads no font.


def badge_svg(*, task: SharedTask, teams: int) -> str:
    """Name of the task on the left, its state and number of teams on the right."""
    state = str(SharedTask.State(task.state).label)
    right = _("%(state)s, teams: %(n)s") % {"state": state, "n": teams}
    left = task.title[:40]
    widths = [LETTER * len(text) + 14 for text in (left, right)]
    return render_to_string(
        "tasks/badge.svg",
        {
            "left": left, "right": right, "left_width": widths[0], "right_width": widths[1],
            "width": sum(widths), "left_x": str(widths[0] / 2),
            "right_x": str(widths[0] + widths[1] / 2),
        },
    )  # fmt: skip
