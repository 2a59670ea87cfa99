"""Panels of a crowd platform, for researchers."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.errors import DomainError, Invalid, NotFound
from annotation.forms.panels import EndedForm, PanelForm, PayFloorForm
from annotation.models import Panel, PartOutcome
from annotation.presenters.panels import address, payments_file
from annotation.selectors.access import Rights, campaign_get, get_in
from annotation.selectors.people.parts import part_with
from annotation.selectors.people.payments import (
    floor_of,
    lines,
    panels_of,
    part_records,
    parts_in,
)
from annotation.selectors.people.quotas import work_rule_of
from annotation.services.people.panels import (
    panel_close,
    panel_create,
    panel_problems,
    panel_update,
)
from annotation.services.people.parts import ids_erase, part_end
from annotation.services.people.platform_events import ended_by_hand
from annotation.services.people.quotas import pay_floor_set
from annotation.views.pages import campaign_page
from paraanno import clock

RECORDS = 500  # people of archived panels that are shown


@never_cache
@require_http_methods(["GET", "POST"])
def panels(request: HttpRequest, slug: str) -> HttpResponse:
    """List the panels; a POST makes one."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    rule, act = work_rule_of(campaign=campaign), request.POST.get("act", "")
    floor = PayFloorForm(
        request.POST if act == "floor" else None, auto_id="floor_%s",
        initial={"pay_floor": rule.pay_floor, "currency": rule.currency},
    )  # fmt: skip
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
        request, "annotation/panels.html", campaign=campaign, rights=rights, form=form,
        panels=panels_of(campaign_id=campaign.pk),
        records=part_records(campaign_id=campaign.pk)[:RECORDS], floor=floor, rule=rule,
        status=422 if form.errors or floor.errors else 200,
    )  # fmt: skip


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
        request, "annotation/panel.html", campaign=row.campaign, rights=rights, panel=row,
        form=form or PanelForm(instance=row), ended=ended or EndedForm(auto_id="ended_%s"),
        link=address(request, row, "panel-enter"), events=address(request, row, "panel-events"),
        page=page, payments=list(lines(row, list(page.object_list))),
        lacking=[str(one.label) for one in row.without_code], problems=panel_problems(row),
        pay_floor=floor_of(panel=row), counts=panels_of(campaign_id=row.campaign_id).get(pk=row.pk),
        status=422 if wrong else 200,
    )  # fmt: skip


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
    said = ngettext("%(n)s participation ended.", "%(n)s participations ended.", done.ended) % {
        "n": done.ended
    }
    messages.success(request, said)
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
    messages.success(request, _("The open places of %(code)s went to others.")
                     % {"code": part.annotator.code})  # fmt: skip
    return redirect("panel", row.campaign.slug, row.key)


@never_cache
@require_safe
def panel_payments(request: HttpRequest, slug: str, key: UUID) -> StreamingHttpResponse:
    """Return the payment list as CSV."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    return payments_file(get_in(campaign, Panel, key))
