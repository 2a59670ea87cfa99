"""Panels of a crowd platform, for researchers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)
from rest_framework.throttling import BaseThrottle

from annotation.access import Rights, campaign_get, get_in, rights, takes_part
from annotation.accounts.login import BACKEND
from annotation.collecting.sheets import next_step
from annotation.errors import DomainError, Invalid, NotAllowed, NotFound
from annotation.http.pages import campaign_page
from annotation.models import Panel, Participant, PartOutcome
from annotation.panels.forms import EndedForm, PanelForm, PayFloorForm
from annotation.panels.participation import ids_erase, part_end, part_settle
from annotation.panels.queries import (
    address,
    completion_of,
    floor_of,
    is_over,
    last_page,
    lines,
    panel_by_token,
    panels_of,
    part_by_key,
    part_records,
    part_with,
    parts_in,
    pay_of,
    payments_file,
    said_of,
    sheets_of,
)
from annotation.panels.services import (
    ended_by_hand,
    entry_count,
    event_take,
    panel_close,
    panel_create,
    panel_enter,
    panel_problems,
    panel_update,
)
from annotation.people.annotators import work_rule_of
from annotation.people.lists import pay_floor_set
from paraanno import clock
from paraanno.http.errors import full_address
from paraanno.observability.counted import refused

RECORDS = 500  # people of archived panels that are shown


@never_cache
@require_http_methods(["GET", "POST"])
def panels(request: HttpRequest, slug: str) -> HttpResponse:
    """List the panels; a POST makes one."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    rule, act = work_rule_of(campaign=campaign), request.POST.get("act", "")
    floor = PayFloorForm(
        request.POST if act == "floor" else None,
        auto_id="floor_%s",
        initial={"pay_floor": rule.pay_floor, "currency": rule.currency},
    )
    if floor.is_valid():
        pay_floor_set(campaign=campaign, actor=request.user, **floor.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("panels", slug)
    form = PanelForm(request.POST if request.POST and act != "floor" else None)
    if form.is_bound and form.is_valid():
        try:
            panel = panel_create(campaign=campaign, actor=request.user, **form.as_fields())
        except Invalid as refusal:
            _wrong(form, refusal)
        else:
            messages.success(request, _("The panel is made: give its link to the platform."))
            return redirect("panel", slug, panel.key)
    return campaign_page(
        request,
        "annotation/panels.html",
        campaign=campaign,
        rights=rights,
        form=form,
        panels=panels_of(campaign_id=campaign.pk),
        records=part_records(campaign_id=campaign.pk)[:RECORDS],
        floor=floor,
        rule=rule,
        status=422 if form.errors or floor.errors else 200,
    )


def _wrong(form: PanelForm, refusal: Invalid) -> None:
    for name, problems in refusal.data["fields"].items():
        name = "code_complete" if name == "codes" else name
        form.add_error(name if name in form.fields else None, problems)


@never_cache
@require_http_methods(["GET", "POST"])
def panel(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Show the panel and its people; a POST changes its settings."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    row = get_in(campaign, Panel, key)
    form = PanelForm(request.POST or None, instance=get_in(campaign, Panel, key))
    if request.method == "POST" and form.is_valid():
        try:
            changed = get_in(campaign, Panel, key)  # What is refused is not shown as stored.
            panel_update(panel=changed, actor=request.user, **form.as_fields())
        except Invalid as refusal:
            _wrong(form, refusal)
        else:
            messages.success(request, _("Saved."))
            return redirect("panel", slug, key)
    return _page(request, row, rights, form=form)


def _page(
    request: HttpRequest,
    row: Panel,
    rights: Rights,
    *,
    form: PanelForm | None = None,
    ended: EndedForm | None = None,
) -> HttpResponse:
    page = Paginator(parts_in(panel=row), 50).get_page(request.GET.get("page"))
    wrong = (form and form.errors) or (ended and ended.errors)
    return campaign_page(
        request,
        "annotation/panel.html",
        campaign=row.campaign,
        rights=rights,
        panel=row,
        form=form or PanelForm(instance=row),
        ended=ended or EndedForm(auto_id="ended_%s"),
        link=address(request, row, "panel-enter"),
        events=address(request, row, "panel-events"),
        page=page,
        payments=list(lines(row, list(page.object_list))),
        lacking=[str(one.label) for one in row.without_code],
        problems=panel_problems(row),
        pay_floor=floor_of(panel=row),
        counts=panels_of(campaign_id=row.campaign_id).get(pk=row.pk),
        status=422 if wrong else 200,
    )


@require_POST
def panel_act(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Close the panel, let people in again, or erase the platform's ids."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    row, act = get_in(campaign, Panel, key), request.POST.get("act")
    try:
        if act in ("close", "open"):
            panel_close(panel=row, closed=act == "close", actor=request.user)
            messages.success(request, _("Saved."))
        elif act == "erase" and request.POST.get("sure"):
            ids_erase(panel=row, now=clock.now(), actor=request.user)
            messages.success(request, _("The platform’s ids are erased; codes and work stay."))
        else:
            raise Invalid(_("Choose what to do, and say that you are sure."))
    except DomainError as refusal:
        messages.error(request, refusal.message)
    return redirect("panel", slug, key)


@never_cache
@require_POST
def panel_ended(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """End the parts of people who returned theirs, or whose time was up, on the platform."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    row = get_in(campaign, Panel, key)
    if "part" in request.POST:
        return _one_ended(request, row)
    form = EndedForm(request.POST, request.FILES, auto_id="ended_%s")
    if not form.is_valid():
        return _page(request, row, rights, ended=form)
    data = form.cleaned_data
    done = ended_by_hand(panel=row, ids=data["found"], outcome=data["outcome"], actor=request.user)
    message = ngettext("%(n)s participation ended.", "%(n)s participations ended.", done.ended) % {
        "n": done.ended
    }
    messages.success(request, message)
    if done.unknown:
        unknown = _("Nobody here has these ids: %(ids)s") % {"ids": ", ".join(done.unknown[:20])}
        messages.error(request, unknown)
    return redirect("panel", slug, key)


def _one_ended(request: HttpRequest, row: Panel) -> HttpResponse:
    """The button beside one person."""
    try:
        part = part_with(panel=row, key=UUID(request.POST["part"]))
    except ValueError as error:
        raise NotFound(_("There is no such participant.")) from error
    part_end(part=part, outcome=PartOutcome.WITHDRAWN, now=clock.now(), actor=request.user)
    messages.success(
        request,
        _("The open assignments of %(code)s went to others.") % {"code": part.annotator.code},
    )
    return redirect("panel", row.campaign.slug, row.key)


@never_cache
@require_safe
def panel_payments(request: HttpRequest, slug: str, key: UUID) -> StreamingHttpResponse:
    """Return the payment list as CSV."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    return payments_file(get_in(campaign, Panel, key))


# Where participants of a panel may go, and that their session is that of one part.


SESSION = "panel-part"  # In a session: the key of the part.
# Names of addresses. What is not here is closed to participants, also what is added later.
OPEN = frozenset(
    {
        "panel-enter",
        "panel-end",
        "panel-leave",
        "panel-events",
        "rate",
        "rate-sheet",
        "rate-own",
        "rate-withdraw",
        "rate-consent",
        "rate-background",
        "rate-notice",
        "rate-practice",
        "rate-practice-try",
        "rate-worker",
        "guidelines",
        "api-me",
        "api-claim",
        "api-sheet",
        "api-sheet-state",
        "api-judgment",
        "api-remark",
        "api-progress-own",
        "logout",
        "language",
        "docs",
        "doc",
        "doc-image",
        "healthz",
        "readyz",
        "prometheus",
    }
)

# It answers most readers without a look at who they are; whom it looks at, it refuses itself.
CLOSES_ITSELF = frozenset({"task-board"})


def part_in(request: HttpRequest) -> Participant | None:
    """Return the part of the session, if it is one of the participant whom the session logs in."""
    key = request.session.get(SESSION)
    return part_by_key(key=UUID(key), user=request.user) if key else None


class ParticipantMiddleware:
    """Close every address to participants that is not theirs, and those of other campaigns."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, _args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        match = request.resolver_match
        name, slug = match.url_name if match else "", kwargs.get("slug")
        if name in CLOSES_ITSELF or (name in OPEN and slug is None):
            return None
        if not takes_part(user=request.user):
            return None
        part = part_in(request)
        if part is None:  # No door leads here, so whatever did is shut.
            logout(request)
            return None
        if name in OPEN and slug == part.panel.campaign.slug:
            return None
        if name == "home" and request.method in ("GET", "HEAD"):
            return redirect(last_page(part))
        return _closed(request, part)


def _closed(request: HttpRequest, part: Participant) -> HttpResponseBase:
    refused("not_allowed")
    if request.path.startswith("/api/"):
        message = _("You take part in a study with this login: nothing else is open to it.")
        return JsonResponse({"code": "not_allowed", "detail": message}, status=403)
    return render(request, "annotation/panel_closed.html", {"part": part}, status=403)


# What a person of a crowd platform sees: the link, and the last page.


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
