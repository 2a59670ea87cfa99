"""The board that readers get: the public part while a task is open, then the final one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.shared_tasks.models import SharedTask, Submission, TaskBoard, Team

PAIRS = ("strict", "half")
ROW = ("ci_low", "ci_high", "rank_low", "rank_high", "group")
PEOPLE = "people"


def part_shown(task: SharedTask) -> str:
    """Which part a board of the task is of."""
    return "final" if task.over else "public"


def board_of(*, task: SharedTask) -> TaskBoard | None:
    """The newest board of the part that may be shown; None before there is one."""
    board = TaskBoard.objects.filter(task=task, part=part_shown(task)).first()
    return None if board is None or board.content is None else board


def hidden_names(
    *, task: SharedTask, own: Team | None = None, names: bool = False
) -> dict[str, str]:
    """The names that teams have on pages, by their own: where names are hidden until the task is
    published, those of others are codes. `names`: for the organiser."""
    if names or not task.hide_teams or task.state == SharedTask.State.PUBLISHED:
        return {}
    teams = Team.objects.filter(task=task, is_baseline=False)
    return {
        team.name: f"team {str(team.key)[:4]}" for team in teams if own is None or team.pk != own.pk
    }


def rows_shown(rows: list[dict[str, Any]], hidden: Mapping[str, str]) -> list[dict[str, Any]]:
    """Rows with the names that may be seen; the file's digest and name are the team's own.

    What was withdrawn after the board was made is gone at once.
    """
    keys = [row["key"] for row in rows]
    gone = Submission.objects.filter(key__in=keys, withdrawn_at__isnull=False)
    withdrawn = {str(key) for key in gone.values_list("key", flat=True)}
    shown = []
    for row in rows:
        if row["key"] in withdrawn:
            continue
        if row["team"] in hidden:
            row = {**row, "team": hidden[row["team"]], "submission": row["key"][:4], "sha256": ""}
        shown.append(row)
    return shown


def board_json(*, task: SharedTask, hidden: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The board for programs: `{task, state, part, tracks: {T: {measure, rows: [...]}}}`.

    Rows of pairs have strict and half, others value; all have team, submission, ends of the
    interval and of the ranks, and group. `ceiling` has the same values of one annotator against the
    others, with the number of annotators, or is None. There are no p-values while the task is open.
    """
    board = board_of(task=task)
    content = (board.content if board else None) or {"tracks": {}}
    tracks = {}
    for track in task.tracks.all():
        found = content["tracks"].get(track.name, {"rows": []})
        values = PAIRS if track.of_pairs else ("value",)
        extra = ("metrics",) if track.measure == PEOPLE else ()
        tracks[track.name] = {
            "measure": track.measure,
            "ceiling": found.get("ceiling"),
            "rows": [
                {
                    "team": row["team"], "submission": row["submission"],
                    **{name: row.get(name) for name in (*values, *ROW, *extra)},
                    "baseline": row["baseline"], "primary": row["primary"],
                }
                for row in rows_shown(found["rows"], hidden or {})
            ],
        }  # fmt: skip
    return {
        "task": task.slug, "state": task.state, "part": part_shown(task), "tracks": tracks,
    }  # fmt: skip
