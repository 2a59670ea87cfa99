"""The board: a page, a copy that stands alone, a badge."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from secrets import token_hex
from threading import Lock
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import User
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

import paraanno
from annotation.access import refuse_participant
from annotation.accounts import login
from annotation.accounts.login import session_seen
from annotation.errors import NotFound
from annotation.models.panels import PARTICIPANT_LOGIN
from paraanno.http.errors import RESOURCES
from scoring.shared_tasks.access import (
    BoardReader,
    TaskStanding,
    board_of,
    board_reader,
    board_stamp,
    cached,
    has_newer_judgments,
    hidden_names,
    late,
    looks_of,
    part_shown,
    public_points,
    rows_shown,
    task_of,
    teams_of,
)
from scoring.shared_tasks.board_page import badge_svg, board_view, how_made, progress_view
from scoring.shared_tasks.freeze import certificate_get, fingerprint, task_zip
from scoring.shared_tasks.models import SharedTask, Track
from scoring.shared_tasks.views import frozen_or_login, page_tag, private, seen_or_login, task_page

# A board for its many readers: one page for all, with gaps for what is each one's own.


# Whatever else is asked for goes the long way, so that few pages are kept.
_PLAIN = re.compile(r"(?:track=([A-Za-z0-9_-]{1,40})(?:&|$))?(?:credit=(strict))?")


@dataclass(frozen=True, slots=True)
class GappedPage:
    """A page with marks where each reader's own name and token for forms belong."""

    page: bytes
    name: bytes
    token: bytes

    def filled(self, name: str, token: str) -> bytes:
        # The name last: what somebody is called is not looked through for marks.
        page = self.page.replace(self.token, token.encode())
        return page.replace(self.name, escape(name).encode())


def answer_reader(
    request: HttpRequest, slug: str, page: Callable[..., HttpResponse]
) -> HttpResponse | None:
    """The answer to a plain reader; None for everybody else, and for what is asked unusually.

    `page(request, task, standing, stamp, track, credit, **context)` renders the page.
    """
    query = request.META.get("QUERY_STRING", "")
    match, session = _PLAIN.fullmatch(query), _plain_session(request)
    if match is None or session is None:
        return None
    track, credit = match[1] or "", match[2] or "half"
    reader = board_reader(session=session, slug=slug, track=track)
    if reader is None or (track and not reader.track):
        return None
    if PARTICIPANT_LOGIN.fullmatch(reader.username):
        return None
    what = (*reader.sees, query, get_language(), paraanno.__version__)

    def stamp() -> str:
        task, standing = task_of(reader)
        return board_stamp(task=task, standing=standing)

    def make(stamp: str) -> GappedPage:
        task, standing = task_of(reader)
        return _gapped(reader, partial(page, request, task, standing, stamp, track, credit))

    cached = late(what, stamp, make)
    session_seen(request, reader.user)
    tag = page_tag(request, reader.user, reader.username, cached.stamp, *map(str, what))
    if (unchanged := get_conditional_response(request, etag=tag)) is not None:
        return unchanged
    answer = HttpResponse(cached.made.filled(reader.username, get_token(request)))
    return private(answer, tag)


def _plain_session(request: HttpRequest) -> str | None:
    """The session of a browser that has a token for forms, and no messages for the next page."""
    cookies = request.COOKIES
    if settings.CSRF_COOKIE_NAME not in cookies or CookieStorage.cookie_name in cookies:
        return None
    if settings.SESSION_ENGINE != login.ENGINE:
        return None
    return cookies.get(settings.SESSION_COOKIE_NAME)


def _gapped(reader: BoardReader, page: Callable[..., HttpResponse]) -> GappedPage:
    name, token = token_hex(16), token_hex(16)
    # In place of what Django puts into every page. The number decides which links there are.
    somebody = User(pk=reader.user, username=name)
    made = page(user=somebody, csrf_token=token, messages=())
    return GappedPage(made.content, name.encode(), token.encode())


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
    access = seen_or_login(request, slug)
    if isinstance(access, HttpResponse):
        return access
    refuse_participant(user=request.user)
    task, standing = access
    stamp = board_stamp(task=task, standing=standing)
    credit = "strict" if request.GET.get("credit") == "strict" else "half"
    shown = (request.GET.get("track", "")[:40], credit)
    tag = page_tag(request, request.user.pk, stamp, *shown)
    if (unchanged := get_conditional_response(request, etag=tag)) is not None:
        return unchanged
    newer = standing.organises and has_newer_judgments(task=task)
    return private(_page(request, task, standing, stamp, *shown, newer=newer), tag)


def _page(
    request: HttpRequest,
    task: SharedTask,
    standing: TaskStanding,
    stamp: str,
    track: str,
    credit: str,
    **context: Any,
) -> HttpResponse:
    tracks = [one.name for one in task.tracks.all()]
    name = track if track in tracks else tracks[0]
    body = cached(stamp, ("page", name, credit), lambda: _body(task, standing, name, credit))
    return task_page(request, "tasks/board.html", task, standing, body=body, **context)


@login_not_required
@require_GET
def board_copy(request: HttpRequest, slug: str) -> HttpResponse:
    """All tracks in one file of HTML that needs nothing else, for an archive."""
    access = seen_or_login(request, slug)
    if isinstance(access, HttpResponse):
        return access
    answer = HttpResponse(copy_html(*access))
    answer["Content-Disposition"] = f'attachment; filename="{access[0].slug}-board.html"'
    return answer


@login_not_required
@require_GET
def badge(request: HttpRequest, slug: str) -> HttpResponse:
    """A small picture with the state of the task, for pages of other sites too."""
    access = frozen_or_login(request, slug)
    if isinstance(access, HttpResponse):
        return access
    svg = badge_svg(task=access[0], teams=teams_of(task=access[0]).count())
    return HttpResponse(svg, content_type="image/svg+xml", headers={RESOURCES: "cross-origin"})


def copy_html(task: SharedTask, standing: TaskStanding) -> str:
    """The static copy of a board as somebody may see it."""
    content = _content(task)
    hidden = hidden_names(task=task, own=standing.team, names=standing.organises)
    parts = [
        (
            track,
            board_view(
                _rows(content, track, hidden),
                _key(track, "half"),
                ceiling=content.get(track.name, {}).get("ceiling"),
            ),
            how_made(track.measure, content.get(track.name, {})),
        )
        for track in task.tracks.all()
    ]
    context = {"task": task, "parts": parts, "part": part_shown(task)}
    return render_to_string("tasks/board_copy.html", context)


def _content(task: SharedTask) -> dict[str, Any]:
    the_board = board_of(task=task)
    tracks: dict[str, Any] = the_board.content["tracks"] if the_board and the_board.content else {}
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
    content, hidden = (
        _content(task),
        hidden_names(task=task, own=standing.team, names=standing.organises),
    )
    of_track = content.get(track.name, {})
    white = of_track.get("white") or {}
    key = _key(track, credit)
    rows = _rows(content, track, hidden)
    names = {row["key"]: f"{row['team']} {row['submission']}" for row in rows}
    tests = {
        label: [{**one, "other_name": names.get(one["other"], "")} for one in comparisons]
        for label, comparisons in white.get("tests", {}).items()
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
        "task": task,
        "standing": standing,
        "ceiling": ceiling,
        "tracks": tracks,
        "track": track,
        "credit": key,
        "part": part_shown(task),
        "view": board_view(rows, key, tests, ceiling),
        "how": how_made(track.measure, of_track),
        "looks": looks,
        "progress": progress_view(points),
        "tables": [one for one in tables if one],
        "pairs": rows[0].get("pairs") if rows else None,
        "teams": len({row["team"] for row in rows if not row["baseline"]}),
    }
    return mark_safe(render_to_string("tasks/_board_body.html", context))  # noqa: S308 a template


# What everybody gets after publishing: the zip and certificates.


@login_not_required
@require_GET
def everything(request: HttpRequest, slug: str) -> HttpResponse:
    """The zip. NotFound before publishing, for the organiser too."""
    access = seen_or_login(request, slug)
    if isinstance(access, HttpResponse):
        return access
    task = access[0]
    if task.state != SharedTask.State.PUBLISHED:
        raise NotFound(_("The zip is available once the task is published."))
    data = task_zip(task=task, board_copy=copy_html(task, TaskStanding(False, None)))
    answer = HttpResponse(data, content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="{task.slug}.zip"'
    return answer


@login_not_required
@require_GET
def certificate(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """The certificate of a submission, with whether its fingerprint is right."""
    access = seen_or_login(request, slug)
    if isinstance(access, HttpResponse):
        return access
    task, standing = access
    data = certificate_get(task=task, team=standing.team, key=key)
    return JsonResponse({**data, "verified": fingerprint(data) == data.get("fingerprint")})
