"""Compute boards: the public one after each submission, the final one once, after closing."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from paraanno.jobs.engine import Claim
from scoring.shared_tasks.models import SharedTask, Submission, TaskBoard, Track
from scoring.shared_tasks.selectors.certificates import certificate_of
from scoring.shared_tasks.selectors.files import content_data, frozen_get
from scoring.shared_tasks.services.board_queue import board_ask, board_state
from scoring.shared_tasks.services.datasheets import datasheet_make
from scoring.shared_tasks.services.people_board import people_rows
from scoring.stats.shared_tasks.board import MOST_ROWS
from scoring.stats.shared_tasks.frozen import Frozen
from scoring.stats.shared_tasks.measures import Said, Settings, measured
from scoring.stats.shared_tasks.white import from_numbers, white_tables

PERMUTATIONS = {"public": 2_000, "final": 10_000}
Part = TaskBoard.Part


def board_work(claim: Claim) -> None:
    """Make a board; the final one gives every row its certificate."""
    board: TaskBoard = claim.row
    task, final = board.task, board.part == Part.FINAL
    claim.tell(now=True, state_hash=board_state(task))
    content = board_content(task=task, part=board.part)
    if final:
        datasheet_make(task=task)
    rows = [row for track in content["tracks"].values() for row in track["rows"]]
    with short_write():
        claim.close(content=content)
        for row in rows if final else ():
            Submission.objects.filter(key=row["key"]).update(
                final=certificate_of(task=task, row=row)
            )


def board_content(*, task: SharedTask, part: str) -> dict[str, Any]:
    """The boards of all tracks on one part: `tracks` by name, each with its rows, the best first.

    The final one has the tests of White 2012 too; while a task is open there are no p-values.
    """
    frozen = frozen_get(task=task)
    tracks = {}
    for track in task.tracks.all():
        if track.measure == Track.Measure.PEOPLE:
            rows = people_rows(task=task, track=track) if part == "final" else _beside(track)
            tracks[track.name] = {"measure": track.measure, "rows": rows}
            continue
        tracks[track.name] = _track(task, track, frozen, part)
    return {"tracks": tracks}


def shown_submissions(track: Track) -> list[Submission]:
    """Those on the board: primary ones (or the last, where none was chosen), then the newest, at
    most MOST_ROWS."""
    done = Submission.objects.filter(track=track, withdrawn_at=None, status="done")
    # Of hundreds most are on no board: their numbers are not read.
    rows = list(done.order_by("-pk").values_list("pk", "team_id", "primary", "baseline"))
    chosen = {team for _pk, team, primary, _baseline in rows if primary}
    first: dict[int, int] = {}
    for pk, team, primary, baseline in rows:
        if primary or (team not in chosen and team not in first):
            first[team if not baseline else -pk] = pk
    counts = list(first.values())
    on = set(counts)
    others = [pk for pk, *_about in rows if pk not in on]
    wanted = counts + others[: max(0, MOST_ROWS - len(counts))]
    found = done.select_related("team", "numbers").in_bulk(wanted)
    return [found[pk] for pk in wanted if pk in found]


def about(one: Submission, primary: bool) -> dict[str, Any]:
    """What a row says about its submission."""
    return {
        "team": one.team.name,
        "submission": one.name,
        "key": str(one.key),
        "baseline": bool(one.baseline),
        "primary": primary,
        "sha256": one.sha256,
    }


def _beside(track: Track) -> list[dict[str, Any]]:
    """Rows of a systems task before people have judged: in order of names, without a value."""
    rows = Submission.objects.filter(track=track, withdrawn_at=None, status="done")
    named = rows.select_related("team").order_by("team__name", "number")
    return [
        {**about(one, one.primary), "metrics": (one.public or {}).get("metrics", {})}
        for one in named
    ]


def _track(task: SharedTask, track: Track, frozen: Frozen, part: str) -> dict[str, Any]:
    shown = {one.label: one for one in shown_submissions(track)}
    said: dict[str, Said] = {
        label: from_numbers(one.form, content_data(one.numbers))
        for label, one in shown.items()
        if one.numbers is not None
    }
    rule: Any = task.gold
    how = Settings(track.measure, rule, part, permutations=PERMUTATIONS[part], seed=1)
    rows = measured(frozen, said, how)
    counted = _counted(list(shown.values()))
    found: dict[str, Any] = {
        "measure": track.measure,
        "ceiling": frozen.ceiling.get(track.measure, {}).get(part),
        "rows": [
            {**row, **about(shown[row["submission"]], shown[row["submission"]].pk in counted)}
            for row in rows
        ],
    }
    if part == "final" and track.of_pairs and rows:
        names = {n: one.name if one.baseline else str(one) for n, one in shown.items()}
        found["white"] = white_tables(
            frozen, said, how, ranked=[row["submission"] for row in rows],
            baselines=[n for n, one in shown.items() if one.baseline], shown=names,
        )  # fmt: skip
        other = Settings(track.measure, "majority" if rule == "sum" else "sum", part,
                         replicates=0, permutations=1)  # fmt: skip
        found["other_rule"] = {
            row["submission"]: row.get("half") for row in measured(frozen, said, other)
        }
    return found


def _counted(rows: list[Submission]) -> set[int]:
    """The primary submission of each team: the chosen one, or the last."""
    found: dict[int, Submission] = {}
    for one in sorted(rows, key=lambda one: (one.primary, one.pk)):
        found[one.team_id if not one.baseline else -one.pk] = one
    return {one.pk for one in found.values()}


def final_board_again(*, task: SharedTask, actor: Actor) -> TaskBoard:
    """Make the final board once more: of a systems task, after people have judged. Raises Conflict
    for other tasks, whose board is final, unless it failed."""
    board = TaskBoard.objects.filter(task=task, part=Part.FINAL).first()
    failed = board is not None and board.status == TaskBoard.Status.FAILED
    of_people = task.kind == SharedTask.Kind.SYSTEMS and task.state == SharedTask.State.CLOSED
    if not (failed or of_people):
        raise Conflict(_("This board is final."))
    with short_write():
        made = board_ask(task=task, part=Part.FINAL)
        audit(actor=actor, verb="make board again", about=made, campaign=task.campaign)
    return made
