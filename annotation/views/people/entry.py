"""What a person of a crowd platform sees: the link, and the last page."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST
from rest_framework.throttling import BaseThrottle

from annotation.errors import Invalid, NotAllowed
from annotation.models import Panel, Participant, PartOutcome
from annotation.selectors.access import rights, takes_part
from annotation.selectors.collecting.steps import next_step
from annotation.selectors.people.parts import (
    completion_of,
    is_over,
    last_page,
    panel_by_token,
    part_with,
    said_of,
    sheets_of,
)
from annotation.selectors.people.payments import floor_of, pay_of
from annotation.selectors.people.sessions import BACKEND
from annotation.services.people.entering import entry_count, panel_enter
from annotation.services.people.parts import part_end, part_settle
from annotation.services.people.platform_events import event_take
from annotation.views.people.participants import SESSION
from paraanno import clock
from paraanno.answers.site_address import full_address

MOST_BYTES = 65_536  # of an event


@never_cache
@login_not_required
@require_GET
def enter(request: HttpRequest, link: str) -> HttpResponse:
    """Log the person in whose id the address carries, and go to their first step."""
    panel = panel_by_token(token=link)
    if _has_account(request):
        return _account_page(request, panel)
    given = request.GET.get(panel.parameter, "")
    if not given:
        return render(request, "annotation/panel_enter.html", {"panel": panel})
    entry_count(address=BaseThrottle().get_ident(request))  # type: ignore[arg-type]
    submission = request.GET.get(panel.session_parameter, "") if panel.session_parameter else ""
    try:
        part = panel_enter(panel=panel, platform_id=given, submission_id=submission)
    except Invalid as refusal:
        context = {"panel": panel, "problem": refusal.message}
        return render(request, "annotation/panel_enter.html", context, status=400)
    user = part.annotator.user
    # A link alone opens no account but that of a participant.
    if user is None or not user.is_active or not takes_part(user=user):
        request.session.flush()
    elif request.user != user:
        login(request, user, backend=BACKEND)
    request.session[SESSION] = str(part.key)
    get_token(request)
    return redirect(_first(part_settle(part=part, now=clock.now())))


def _first(part: Participant) -> str:
    if is_over(part) or part.quota == 0:
        return last_page(part)
    step = next_step(annotator=part.annotator)
    slug = part.panel.campaign.slug
    return step.url(slug=slug) if step else f"/rate/{slug}/"


def _has_account(request: HttpRequest) -> bool:
    return request.user.is_authenticated and not takes_part(user=request.user)


def _account_page(request: HttpRequest, panel: Panel) -> HttpResponse:
    """Say who is logged in: an account keeps its session, and is nobody's part in a study."""
    context = {
        "panel": panel,
        "campaign": panel.campaign,
        "rights": rights(user=request.user, campaign=panel.campaign),
        "address": full_address(request, request.get_full_path()),
        "back": request.get_full_path(),
    }
    return render(request, "annotation/panel_account.html", context)


def _part(request: HttpRequest, panel: Panel) -> Participant | None:
    key = request.session.get(SESSION, "")
    return part_with(panel=panel, key=UUID(key)) if key else None


@never_cache
@login_not_required
@require_GET
def end(request: HttpRequest, link: str) -> HttpResponse:
    """Show where the person stands; with an outcome, its code and the way back."""
    panel = panel_by_token(token=link)
    if _has_account(request):
        return _account_page(request, panel)
    part = _part(request, panel)
    if part is None:
        return render(request, "annotation/panel_enter.html", {"panel": panel})
    part = part_settle(part=part, now=clock.now())
    context = {
        "panel": panel,
        "part": part,
        "annotator": part.annotator,
        "said": said_of(part) if part.outcome else "",
        "completion": completion_of(part) if part.outcome else None,
        "sheets": sheets_of(part),
        "pay": pay_of(part),
        "pay_floor": floor_of(panel=panel),
    }
    return render(request, "annotation/panel_end.html", context)


@csrf_exempt  # Signed by the platform, whose programs have no cookie.
@login_not_required
@require_POST
def events(request: HttpRequest, link: str) -> JsonResponse:
    """Take an event of the platform."""
    panel = panel_by_token(token=link)
    length = request.META.get("CONTENT_LENGTH") or ""
    if not length.isdecimal() or int(length) > MOST_BYTES:
        return JsonResponse({"code": "invalid", "detail": "too long"}, status=413)
    headers = request.headers
    try:
        state = event_take(
            panel=panel,
            body=request.body,
            timestamp=headers.get("X-Prolific-Request-Timestamp", ""),
            signature=headers.get("X-Prolific-Request-Signature", ""),
            event_id=headers.get("X-Event-ID", ""),
        )
    except NotAllowed as refusal:
        return JsonResponse({"code": "not_allowed", "detail": refusal.message}, status=401)
    except Invalid as refusal:
        return JsonResponse({"code": "invalid", "detail": refusal.message}, status=400)
    return JsonResponse({"state": state})


@login_not_required
@require_POST
def leave(request: HttpRequest, link: str) -> HttpResponse:
    """End the person's part: they do not agree, or do not want to go on."""
    panel = panel_by_token(token=link)
    part = _part(request, panel)
    if part is not None:
        part_end(part=part, outcome=PartOutcome.WITHDRAWN, now=clock.now())
    return redirect("panel-end", link)
