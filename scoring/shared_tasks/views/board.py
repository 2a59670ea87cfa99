"""The board: a page, a copy that stands alone, a badge."""

from __future__ import annotations

from threading import Lock
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET

from annotation.selectors.access import refuse_participant
from paraanno.answers.headers import RESOURCES
from scoring.shared_tasks.models import SharedTask, Track
from scoring.shared_tasks.presenters.badge import badge_svg
from scoring.shared_tasks.presenters.board import board_view, progress_view
from scoring.shared_tasks.selectors.access import TaskStanding
from scoring.shared_tasks.selectors.board import board_of, hidden_names, part_shown, rows_shown
from scoring.shared_tasks.selectors.pages import (
    has_newer_judgments,
    looks_of,
    public_points,
    teams_of,
)
from scoring.shared_tasks.selectors.stamp import board_stamp, kept
from scoring.shared_tasks.views.frame import page_tag, private, seen_or_login, task_page
from scoring.shared_tasks.views.readers import answer_reader

# Those who are no plain readers take turns in a process: where eight threads compute at once each
# takes twice as long, and the saves of annotators wait behind all of them.
_turn = Lock()


@login_not_required
@require_GET
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """One track's board; `credit=strict` counts ties as wrong."""
    answer = answer_reader(request, slug, _page)
    if answer is not None:
        return answer
    with _turn:
        return _board(request, slug)


def _board(request: HttpRequest, slug: str) -> HttpResponse:
    found = seen_or_login(request, slug)
    if isinstance(found, HttpResponse):
        return found
    refuse_participant(user=request.user)
    task, standing = found
    stamp = board_stamp(task=task, standing=standing)
    credit = "strict" if request.GET.get("credit") == "strict" else "half"
    shown = (request.GET.get("track", "")[:40], credit)
    tag = page_tag(request, request.user.pk, stamp, *shown)
    if (unchanged := get_conditional_response(request, etag=tag)) is not None:
        return unchanged
    newer = standing.organises and has_newer_judgments(task=task)
    return private(_page(request, task, standing, stamp, *shown, newer=newer), tag)


def _page(
    request: HttpRequest, task: SharedTask, standing: TaskStanding, stamp: str, track: str,
    credit: str, **context: Any,
) -> HttpResponse:  # fmt: skip
    tracks = [one.name for one in task.tracks.all()]
    name = track if track in tracks else tracks[0]
    body = kept(stamp, ("page", name, credit), lambda: _body(task, standing, name, credit))
    return task_page(request, "tasks/board.html", task, standing, body=body, **context)


@login_not_required
@require_GET
def board_copy(request: HttpRequest, slug: str) -> HttpResponse:
    """All tracks in one file of HTML that needs nothing else, for an archive."""
    found = seen_or_login(request, slug)
    if isinstance(found, HttpResponse):
        return found
    answer = HttpResponse(copy_html(*found))
    answer["Content-Disposition"] = f'attachment; filename="{found[0].slug}-board.html"'
    return answer


@login_not_required
@require_GET
def badge(request: HttpRequest, slug: str) -> HttpResponse:
    """A small picture with the state of the task, for pages of other sites too."""
    found = seen_or_login(request, slug)
    if isinstance(found, HttpResponse):
        return found
    svg = badge_svg(task=found[0], teams=teams_of(task=found[0]).count())
    return HttpResponse(svg, content_type="image/svg+xml", headers={RESOURCES: "cross-origin"})


def copy_html(task: SharedTask, standing: TaskStanding) -> str:
    """The static copy of a board as somebody may see it."""
    content = _content(task)
    hidden = hidden_names(task=task, own=standing.team, names=standing.organises)
    parts = [
        (track, board_view(_rows(content, track, hidden), _key(track, "half"),
                           ceiling=content.get(track.name, {}).get("ceiling")))
        for track in task.tracks.all()
    ]  # fmt: skip
    context = {"task": task, "parts": parts, "part": part_shown(task)}
    return render_to_string("tasks/board_copy.html", context)


def _content(task: SharedTask) -> dict[str, Any]:
    found = board_of(task=task)
    tracks: dict[str, Any] = found.content["tracks"] if found and found.content else {}
    return tracks


def _rows(content: dict[str, Any], track: Track, hidden: dict[str, str]) -> list[dict[str, Any]]:
    return rows_shown(content.get(track.name, {}).get("rows", []), hidden)


def _key(track: Track, credit: str) -> str:
    if not track.of_pairs:
        return "value"
    return "strict" if credit == "strict" else "half"


def _body(task: SharedTask, standing: TaskStanding, name: str, credit: str) -> SafeString:
    """All of the page below the tabs; it has nothing of who asks but what the stamp has."""
    tracks = list(task.tracks.all())
    track = next(one for one in tracks if one.name == name)
    content, hidden = _content(task), hidden_names(
        task=task, own=standing.team, names=standing.organises
    )  # fmt: skip
    of_track = content.get(track.name, {})
    white = of_track.get("white") or {}
    key = _key(track, credit)
    rows = _rows(content, track, hidden)
    names = {row["key"]: f"{row['team']} {row['submission']}" for row in rows}
    tests = {
        label: [{**one, "other_name": names.get(one["other"], "")} for one in found]
        for label, found in white.get("tests", {}).items()
    }
    points: dict[str, list[tuple[float, str, float]]] = {}
    for team, at, public in public_points(track=track):
        value = public.get("half") or public.get("value")
        if value is not None:
            line = points.setdefault(hidden.get(team, team), [])
            line.append((at.timestamp(), at.strftime("%Y-%m-%d"), value))
    looks = [(hidden.get(one.team, one.team), one.track, one.n) for one in looks_of(task=task)]
    tables = [white.get("table_2"), white.get("table_3")] if not hidden else []
    ceiling = of_track.get("ceiling")
    context = {
        "task": task, "standing": standing, "ceiling": ceiling,
        "tracks": tracks, "track": track, "credit": key, "part": part_shown(task),
        "view": board_view(rows, key, tests, ceiling), "looks": looks,
        "progress": progress_view(points),
        "tables": [one for one in tables if one], "pairs": rows[0].get("pairs") if rows else None,
        "teams": len({row["team"] for row in rows if not row["baseline"]}),
    }  # fmt: skip
    return mark_safe(render_to_string("tasks/_board_body.html", context))  # noqa: S308 a template
