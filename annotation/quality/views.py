"""Control texts with their bands, and copies made on demand."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import Rights, campaign_get, get_in
from annotation.errors import Conflict, Invalid
from annotation.http.pages import campaign_page
from annotation.importing.take_back import expected_import, text_add
from annotation.models import Annotator, Campaign, QualityAction, QualityRule, Substitution
from annotation.people.annotators import annotator_of
from annotation.quality.forms import (
    BandsForm,
    CopiesForm,
    ExpectedFileForm,
    PlanForm,
    RuleForm,
    TextForm,
)
from annotation.quality.overview import (
    overview,
    paused,
    plan_of,
    record,
    rules_in_force,
    standing,
    texts_by_role,
    texts_of_role,
    warnings_unread,
    watching_text,
)
from annotation.quality.rules import (
    action_lift,
    action_take,
    copies_make,
    degraded_make,
    expected_remove,
    expected_set,
    plan_set,
    rule_add,
    rule_end,
    warning_read,
)
from annotation.templatetags.rating import plain

Role = Substitution.Role
SHOWN = 50


@require_safe
def controls(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    return _page(request, campaign, rights)


def _page(request: HttpRequest, campaign: Campaign, rights: Rights, **extra: Any) -> HttpResponse:
    counts = texts_by_role(campaign=campaign)
    context = {
        "text": TextForm(scales=campaign.scales.all(), explain=False, auto_id="text_%s"),
        "copies": CopiesForm(auto_id="copies_%s"),
        "upload": ExpectedFileForm(auto_id="upload_%s"),
        "problems": (),
        **extra,
    }
    rows = texts_of_role(campaign=campaign, role=Role.CONTROL)
    return campaign_page(
        request,
        "annotation/quality_controls.html",
        campaign=campaign,
        rights=rights,
        page=Paginator(rows, SHOWN).get_page(request.GET.get("page")),
        degraded=counts.get(Role.DEGRADED, 0),
        exact=counts.get(Role.COPY, 0),
        status=422 if extra else 200,
        **context,
    )


@require_POST
def control_new(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = TextForm(request.POST, scales=campaign.scales.all(), explain=False, auto_id="text_%s")
    if form.is_valid():
        try:
            text_add(campaign=campaign, role=Role.CONTROL, actor=request.user, **form.as_text())
        except (Invalid, Conflict) as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("The control was added."))
            return redirect("quality-controls", slug)
    return _page(request, campaign, rights, text=form)


@require_POST
def copies_new(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = CopiesForm(request.POST, auto_id="copies_%s")
    if not form.is_valid():
        return _page(request, campaign, rights, copies=form)
    data = form.cleaned_data
    common = {"campaign": campaign, "items": data["items"], "seed": data["seed"]}
    if data["kind"] == "copy":
        made = len(copies_make(actor=request.user, **common))
    else:
        made = len(degraded_make(actor=request.user, method=data["kind"], **common))
    text = ngettext("%(n)d copy was made.", "%(n)d copies were made.", made) % {"n": made}
    if made < data["items"]:
        text += " " + _(
            "The other items already have one, or have no text that can be changed in this way."
        )
    messages.success(request, text)
    return redirect("quality-controls", slug)


@require_POST
def expected_upload(request: HttpRequest, slug: str) -> HttpResponse:
    """Import a file of controls and practice texts; any error rejects the entire file."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = ExpectedFileForm(request.POST, request.FILES, auto_id="upload_%s")
    if not form.is_valid():
        return _page(request, campaign, rights, upload=form)
    file = form.cleaned_data["file"]
    if file.size > settings.UPLOAD_MAX_BYTES:
        form.add_error("file", _("The file is too large."))
        return _page(request, campaign, rights, upload=form)
    report = expected_import(
        campaign=campaign, stream=file.file, name=file.name, actor=request.user
    )
    if not report.ok or not report.rows:
        if not report.problems:
            form.add_error("file", _("The file holds no rows."))
        return _page(request, campaign, rights, upload=form, problems=report.problems[:SHOWN])
    n = report.counts["texts"]
    done = ngettext(
        "%(n)d text has its expected values.", "%(n)d texts have their expected values.", n
    )
    messages.success(request, done % {"n": n})
    return redirect("quality-controls", slug)


@require_http_methods(["GET", "POST"])
def text_page(request: HttpRequest, slug: str, text: UUID) -> HttpResponse:
    """Change or remove the expected values of a control or practice text."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    substitution = watching_text(campaign=campaign, key=text)
    back = "quality-controls" if substitution.role == Role.CONTROL else "practice"
    form = BandsForm(
        request.POST or None,
        scales=campaign.scales.all(),
        initial=_initial(substitution),
        explain=substitution.role == Role.PRACTICE,
    )
    if request.method == "POST" and "remove" in request.POST:
        expected_remove(substitution=substitution, actor=request.user)
        messages.success(request, _("It is no longer checked; its judgments are kept."))
        return redirect(back, slug)
    if request.method == "POST" and form.is_valid():
        try:
            expected_set(substitution=substitution, bands=form.bands(), actor=request.user)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect(back, slug)
    return campaign_page(
        request,
        "annotation/quality_text.html",
        campaign=campaign,
        rights=rights,
        text=substitution,
        form=form,
        back=back,
        status=422 if form.errors else 200,
    )


def _initial(text: Substitution) -> dict[str, str]:
    initial: dict[str, str] = {}
    for band in text.expected.select_related("scale"):
        key = band.scale.key
        initial |= {f"{key}-low": plain(band.low), f"{key}-high": plain(band.high)}
        initial[f"{key}-why"] = band.explanation
    return initial


# Notices to an annotator between two sheets: a warning, or that their work is paused.


# Only for checks that reveal nothing: annotators must not learn which texts were controls.
HINTS = {
    "fast": gettext_lazy(
        "Some sheets were done very quickly. There is no hurry: take the time they need."
    ),
    "straight": gettext_lazy(
        "Many answers in a row were the same. That can be right; please look at each text anew."
    ),
}


@never_cache
@require_http_methods(["GET", "POST"])
def notice(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the notice; a POST confirms it. A paused annotator waits for a researcher."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
    annotator = annotator_of(campaign=campaign, user=request.user)
    if request.method == "POST":
        if annotator is not None:
            warning_read(annotator=annotator)
        return redirect("rate", slug)
    checks = warnings_unread(annotator=annotator) if annotator is not None else set()
    context = {
        "campaign": campaign,
        "paused": annotator is not None and paused(annotator=annotator),
        "warned": bool(checks),
        "hints": [hint for check, hint in HINTS.items() if check in checks],
    }
    return render(request, "annotation/quality_notice.html", context)


# Hidden quality control for researchers: overview, rules and actions.


@never_cache
@require_safe
def quality(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    return _rules_page(request, campaign, rights)


def _rules_page(
    request: HttpRequest, campaign: Campaign, rights: Rights, **forms: Any
) -> HttpResponse:
    context = {
        "plan": PlanForm(instance=plan_of(campaign), auto_id="plan_%s"),
        "rule": RuleForm(auto_id="rule_%s"),
        **forms,
    }
    return campaign_page(
        request,
        "annotation/quality.html",
        campaign=campaign,
        rights=rights,
        page=Paginator(overview(campaign=campaign), 100).get_page(request.GET.get("page")),
        rules=rules_in_force(campaign=campaign),
        status=422 if forms else 200,
        **context,
    )


@require_POST
def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the quality plan."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = PlanForm(request.POST, instance=plan_of(campaign), auto_id="plan_%s")
    if form.is_valid():
        try:
            plan_set(campaign=campaign, actor=request.user, changes=form.cleaned_data)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("quality", slug)
    return _rules_page(request, campaign, rights, plan=form)


@require_POST
def rule_new(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = RuleForm(request.POST, auto_id="rule_%s")
    if form.is_valid():
        data = form.cleaned_data
        try:
            rule_add(
                campaign=campaign,
                check=data["check"],
                least=data["least"],
                share=data["percent"] / 100,
                act=data["act"],
                actor=request.user,
            )
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("The rule is in force from the next submitted sheet on."))
            return redirect("quality", slug)
    return _rules_page(request, campaign, rights, rule=form)


@require_POST
def rule_remove(request: HttpRequest, slug: str, rule: UUID) -> HttpResponse:
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    rule_end(rule=get_in(campaign, QualityRule, rule), actor=request.user)
    messages.success(request, _("The rule has ended; what it did stands until you lift it."))
    return redirect("quality", slug)


@require_POST
def action(request: HttpRequest, slug: str, action: UUID) -> HttpResponse:
    """Take the action now, or lift it (drop it if it is not taken yet)."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    row = get_in(
        campaign, QualityAction, action, "rule", "annotator__campaign", "exclusion", "campaign"
    )
    if request.POST.get("do") == "take":
        action_take(action=row, actor=request.user)
        messages.success(request, _("The action was taken."))
    elif request.POST.get("do") == "lift":
        action_lift(action=row, actor=request.user)
        messages.success(request, _("Lifted. The rule looks at new work only from now on."))
    else:
        raise Invalid(_("Choose to take or to lift it."))
    back = request.POST.get("back", "")
    if url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        return redirect(back)
    return redirect("quality-record", slug, row.annotator.key)


@never_cache
@require_safe
def record_page(request: HttpRequest, slug: str, annotator: UUID) -> HttpResponse:
    """Show everything known about one annotator's work."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    row = get_in(campaign, Annotator, annotator)
    row.campaign = campaign
    plan = plan_of(campaign)
    return campaign_page(
        request,
        "annotation/quality_record.html",
        campaign=campaign,
        rights=rights,
        annotator=row,
        plan=plan,
        record=record(annotator=row, plan=plan),
        standing=standing(campaign=campaign, annotator=row),
    )
