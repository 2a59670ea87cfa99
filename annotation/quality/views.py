"""Control texts with their bands, and copies made on demand."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import get_in
from annotation.errors import Invalid
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.http.fields import plain
from annotation.models import Annotator, QualityAction, QualityRule, Substitution
from annotation.people.annotators import annotator_of
from annotation.quality.expected import expected_import, expected_remove, expected_set, text_add
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
    plan_set,
    rule_add,
    rule_end,
    warning_read,
)

Role = Substitution.Role
SHOWN = 50


@require_safe
@campaign_view("research")
def controls(page: CampaignPage) -> HttpResponse:
    return _page(page)


def _page(page: CampaignPage, **extra: Any) -> HttpResponse:
    counts = texts_by_role(campaign=page.campaign)
    context = {
        "text": TextForm(scales=page.campaign.scales.all(), explain=False, auto_id="text_%s"),
        "copies": CopiesForm(auto_id="copies_%s"),
        "upload": ExpectedFileForm(auto_id="upload_%s"),
        "problems": (),
        **extra,
    }
    rows = texts_of_role(campaign=page.campaign, role=Role.CONTROL)
    return page.render(
        "annotation/quality_controls.html",
        page=page.paged(rows, SHOWN),
        degraded=counts.get(Role.DEGRADED, 0),
        exact=counts.get(Role.COPY, 0),
        status=422 if extra.get("problems") else None,
        **context,
    )


@require_POST
@campaign_view("research")
def control_new(page: CampaignPage) -> HttpResponse:
    form = TextForm(page.post, scales=page.campaign.scales.all(), explain=False, auto_id="text_%s")
    if page.saves(
        form,
        lambda: text_add(
            campaign=page.campaign, role=Role.CONTROL, actor=page.user, **form.as_text()
        ),
    ):
        return page.done(_("The control was added."), "quality-controls")
    return _page(page, text=form)


@require_POST
@campaign_view("research")
def copies_new(page: CampaignPage) -> HttpResponse:
    form = CopiesForm(page.post, auto_id="copies_%s")
    if not form.is_valid():
        return _page(page, copies=form)
    data = form.cleaned_data
    common = {"campaign": page.campaign, "items": data["items"], "seed": data["seed"]}
    if data["kind"] == "copy":
        made = len(copies_make(actor=page.user, **common))
    else:
        made = len(degraded_make(actor=page.user, method=data["kind"], **common))
    text = ngettext("%(n)d copy was made.", "%(n)d copies were made.", made) % {"n": made}
    if made < data["items"]:
        text += " " + _(
            "The other items already have one, or have no text that can be changed in this way."
        )
    return page.done(text, "quality-controls")


@require_POST
@campaign_view("research")
def expected_upload(page: CampaignPage) -> HttpResponse:
    """Import a file of controls and practice texts; any error rejects the entire file."""
    form = ExpectedFileForm(page.post, page.request.FILES, auto_id="upload_%s")
    if not form.is_valid():
        return _page(page, upload=form)
    file = form.cleaned_data["file"]
    if file.size > settings.UPLOAD_MAX_BYTES:
        form.add_error("file", _("The file is too large."))
        return _page(page, upload=form)
    report = expected_import(
        campaign=page.campaign, stream=file.file, name=file.name, actor=page.user
    )
    if not report.ok or not report.rows:
        if not report.problems:
            form.add_error("file", _("The file holds no rows."))
        return _page(page, upload=form, problems=report.problems[:SHOWN])
    n = report.counts["texts"]
    done = ngettext(
        "%(n)d text has its expected values.", "%(n)d texts have their expected values.", n
    )
    return page.done(done % {"n": n}, "quality-controls")


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def text_page(page: CampaignPage, text: UUID) -> HttpResponse:
    """Change or remove the expected values of a control or practice text."""
    substitution = watching_text(campaign=page.campaign, key=text)
    back = "quality-controls" if substitution.role == Role.CONTROL else "practice"
    form = BandsForm(
        page.posted,
        scales=page.campaign.scales.all(),
        initial=_initial(substitution),
        explain=substitution.role == Role.PRACTICE,
    )
    if page.sent and "remove" in page.post:
        expected_remove(substitution=substitution, actor=page.user)
        return page.done(_("It is no longer checked; its judgments are kept."), back)
    if page.saves(
        form,
        lambda: expected_set(substitution=substitution, bands=form.bands(), actor=page.user),
    ):
        return page.done(_("Saved."), back)
    return page.render("annotation/quality_text.html", text=substitution, form=form, back=back)


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
@campaign_view("annotate")
def notice(page: CampaignPage) -> HttpResponse:
    """Show the notice; a POST confirms it. A paused annotator waits for a researcher."""
    annotator = annotator_of(campaign=page.campaign, user=page.user)
    if page.sent:
        if annotator is not None:
            warning_read(annotator=annotator)
        return page.go("rate")
    checks = warnings_unread(annotator=annotator) if annotator is not None else set()
    return page.bare(
        "annotation/quality_notice.html",
        paused=annotator is not None and paused(annotator=annotator),
        warned=bool(checks),
        hints=[hint for check, hint in HINTS.items() if check in checks],
    )


# Hidden quality control for researchers: overview, rules and actions.


@never_cache
@require_safe
@campaign_view("research")
def quality(page: CampaignPage) -> HttpResponse:
    return _rules_page(page)


def _rules_page(page: CampaignPage, **forms: Any) -> HttpResponse:
    context = {
        "plan": PlanForm(instance=plan_of(page.campaign), auto_id="plan_%s"),
        "rule": RuleForm(auto_id="rule_%s"),
        **forms,
    }
    return page.render(
        "annotation/quality.html",
        page=page.paged(overview(campaign=page.campaign), 100),
        rules=rules_in_force(campaign=page.campaign),
        **context,
    )


@require_POST
@campaign_view("research")
def plan(page: CampaignPage) -> HttpResponse:
    """Change the quality plan."""
    form = PlanForm(page.post, instance=plan_of(page.campaign), auto_id="plan_%s")
    if page.saves(
        form, lambda: plan_set(campaign=page.campaign, actor=page.user, changes=form.cleaned_data)
    ):
        return page.done(_("Saved."), "quality")
    return _rules_page(page, plan=form)


@require_POST
@campaign_view("research")
def rule_new(page: CampaignPage) -> HttpResponse:
    form = RuleForm(page.post, auto_id="rule_%s")
    if page.saves(
        form,
        lambda: rule_add(
            campaign=page.campaign,
            check=form.cleaned_data["check"],
            least=form.cleaned_data["least"],
            share=form.cleaned_data["percent"] / 100,
            act=form.cleaned_data["act"],
            actor=page.user,
        ),
    ):
        return page.done(_("The rule is in force from the next submitted sheet on."), "quality")
    return _rules_page(page, rule=form)


@require_POST
@campaign_view("research")
def rule_remove(page: CampaignPage, rule: UUID) -> HttpResponse:
    rule_end(rule=page.row(QualityRule, rule), actor=page.user)
    return page.done(_("The rule has ended; what it did stands until you lift it."), "quality")


@require_POST
@campaign_view("research")
def action(page: CampaignPage, action: UUID) -> HttpResponse:
    """Take the action now, or lift it (drop it if it is not taken yet)."""
    row = get_in(
        page.campaign, QualityAction, action, "rule", "annotator__campaign", "exclusion", "campaign"
    )
    if page.post.get("do") == "take":
        action_take(action=row, actor=page.user)
        page.says(_("The action was taken."))
    elif page.post.get("do") == "lift":
        action_lift(action=row, actor=page.user)
        page.says(_("Lifted. The rule looks at new work only from now on."))
    else:
        raise Invalid(_("Choose to take or to lift it."))
    back = page.post.get("back", "")
    if url_has_allowed_host_and_scheme(back, allowed_hosts={page.request.get_host()}):
        return redirect(back)
    return page.go("quality-record", row.annotator.key)


@never_cache
@require_safe
@campaign_view("research")
def record_page(page: CampaignPage, annotator: UUID) -> HttpResponse:
    """Show everything known about one annotator's work."""
    row = page.row(Annotator, annotator)
    row.campaign = page.campaign
    plan = plan_of(page.campaign)
    return page.render(
        "annotation/quality_record.html",
        annotator=row,
        plan=plan,
        record=record(annotator=row, plan=plan),
        standing=standing(campaign=page.campaign, annotator=row),
    )
