"""Panels of a crowd platform, for researchers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
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

from annotation.access import rights, takes_part
from annotation.accounts.login import entry_count, sender_of
from annotation.errors import Invalid, NotAllowed, NotFound
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.models import Campaign, Panel, Participant, PartOutcome
from annotation.panels.forms import EndedForm, PanelForm, PayFloorForm
from annotation.panels.participation import (
    ended_by_hand,
    event_take,
    ids_erase,
    panel_enter,
    part_settle,
)
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
)
from annotation.panels.services import panel_close, panel_create, panel_problems, panel_update
from annotation.people.annotators import part_end, sheets_of
from annotation.people.membership import guest_of
from annotation.people.quotas import pay_floor_set, work_rule_of
from annotation.quality.practice import next_step
from paraanno import clock
from paraanno.http.errors import full_address
from paraanno.http.middleware import BACKEND
from paraanno.observability.counted import refused

RECORDS = 500  # people of archived panels that are shown


@never_cache
@require_http_methods(["GET", "POST"])
@campaign_view("research")
def panels(page: CampaignPage) -> HttpResponse:
    """List the panels; a POST makes one."""
    rule, act = work_rule_of(campaign=page.campaign), page.post.get("act", "")
    floor = PayFloorForm(
        page.post if act == "floor" else None,
        auto_id="floor_%s",
        initial={"pay_floor": rule.pay_floor, "currency": rule.currency},
    )
    if floor.is_valid():
        pay_floor_set(campaign=page.campaign, actor=page.user, **floor.cleaned_data)
        return page.done(_("Saved."), "panels")
    form = PanelForm(page.posted if act != "floor" else None)
    panel = page.saved(
        form,
        lambda: panel_create(campaign=page.campaign, actor=page.user, **form.as_fields()),
    )
    if panel is not None:
        done = _("The panel is made: give its link to the platform.")
        return page.done(done, "panel", panel.key)
    return page.render(
        "annotation/panels.html",
        form=form,
        panels=panels_of(campaign_id=page.campaign.pk),
        records=part_records(campaign_id=page.campaign.pk)[:RECORDS],
        floor=floor,
        rule=rule,
    )


@never_cache
@require_http_methods(["GET", "POST"])
@campaign_view("research")
def panel(page: CampaignPage, key: UUID) -> HttpResponse:
    """Show the panel and its people; a POST changes its settings."""
    row = page.row(Panel, key)
    form = PanelForm(page.posted, instance=page.row(Panel, key))
    changed = page.row(Panel, key)  # What is refused is not shown as stored.
    if page.saves(form, lambda: panel_update(panel=changed, actor=page.user, **form.as_fields())):
        return page.done(_("Saved."), "panel", key)
    return _page(page, row, form=form)


def _page(
    page: CampaignPage, row: Panel, *, form: PanelForm | None = None, ended: EndedForm | None = None
) -> HttpResponse:
    rows = page.paged(parts_in(panel=row), 50)
    return page.render(
        "annotation/panel.html",
        panel=row,
        form=form or PanelForm(instance=row),
        ended=ended or EndedForm(auto_id="ended_%s"),
        link=address(page.request, row, "panel-enter"),
        events=address(page.request, row, "panel-events"),
        page=rows,
        payments=list(lines(row, list(rows.object_list))),
        lacking=[str(one.label) for one in row.without_code],
        problems=panel_problems(row),
        pay_floor=floor_of(panel=row),
        counts=panels_of(campaign_id=row.campaign_id).get(pk=row.pk),
    )


@require_POST
@campaign_view("research")
def panel_act(page: CampaignPage, key: UUID) -> HttpResponse:
    """Close the panel, let people in again, or erase the platform's ids."""
    row, act = page.row(Panel, key), page.post.get("act")

    def change() -> str:
        if act in ("close", "open"):
            panel_close(panel=row, closed=act == "close", actor=page.user)
            return _("Saved.")
        if act == "erase" and page.post.get("sure"):
            ids_erase(panel=row, now=clock.now(), actor=page.user)
            return _("The platform’s ids are erased; codes and work stay.")
        raise Invalid(_("Choose what to do, and say that you are sure."))

    return page.act("panel", key, do=change)


@never_cache
@require_POST
@campaign_view("research")
def panel_ended(page: CampaignPage, key: UUID) -> HttpResponse:
    """End the parts of people who returned theirs, or whose time was up, on the platform."""
    row = page.row(Panel, key)
    if "part" in page.post:
        return _one_ended(page, row)
    form = EndedForm(page.post, page.request.FILES, auto_id="ended_%s")
    if not form.is_valid():
        return _page(page, row, ended=form)
    data = form.cleaned_data
    done = ended_by_hand(panel=row, ids=data["found"], outcome=data["outcome"], actor=page.user)
    message = ngettext("%(n)s participation ended.", "%(n)s participations ended.", done.ended) % {
        "n": done.ended
    }
    page.says(message)
    if done.unknown:
        unknown = _("Nobody here has these ids: %(ids)s") % {"ids": ", ".join(done.unknown[:20])}
        page.warns(unknown)
    return page.go("panel", key)


def _one_ended(page: CampaignPage, row: Panel) -> HttpResponse:
    """The button beside one person."""
    try:
        part = part_with(panel=row, key=UUID(page.post["part"]))
    except ValueError as error:
        raise NotFound(_("There is no such participant.")) from error
    part_end(part=part, outcome=PartOutcome.WITHDRAWN, now=clock.now(), actor=page.user)
    done = _("The open assignments of %(code)s went to others.") % {"code": part.annotator.code}
    return page.done(done, "panel", row.key)


@never_cache
@require_safe
@campaign_view("research")
def panel_payments(page: CampaignPage, key: UUID) -> StreamingHttpResponse:
    """Return the payment list as CSV."""
    return payments_file(page.row(Panel, key))


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

OPEN_TO_GUESTS = frozenset({"join", "guest"})  # as well, in whatever campaign
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
        place = _place_of(request)
        if place is None:  # No door leads here, so whatever did is shut.
            logout(request)
            return None
        if name in OPEN and slug == place.campaign.slug:
            return None
        if name in OPEN_TO_GUESTS and place.guest:
            return None
        if name == "home" and request.method in ("GET", "HEAD"):
            return redirect(place.onward)
        return _closed(request, place)


@dataclass(frozen=True, slots=True)
class StudyPlace:
    """The one campaign that a participant or guest takes part in, and the page that leads on."""

    campaign: Campaign
    onward: str
    contact: str = ""
    guest: bool = False


def _place_of(request: HttpRequest) -> StudyPlace | None:
    part = part_in(request)
    if part is not None:
        return StudyPlace(part.panel.campaign, last_page(part), part.panel.contact)
    guest = guest_of(user=request.user)
    return StudyPlace(guest.campaign, reverse("guest"), guest=True) if guest is not None else None


def _closed(request: HttpRequest, place: StudyPlace) -> HttpResponseBase:
    refused("not_allowed")
    if request.path.startswith("/api/"):
        message = _("You take part in a study with this login: nothing else is open to it.")
        return JsonResponse({"code": "not_allowed", "detail": message}, status=403)
    return render(request, "annotation/panel_closed.html", {"place": place}, status=403)


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
    entry_count(address=sender_of(request))
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
