"""Hidden quality control for researchers: overview, rules and actions."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import Invalid
from annotation.forms.quality import PlanForm, RuleForm
from annotation.models import Annotator, Campaign, QualityAction, QualityRule
from annotation.selectors.access import Rights, campaign_get, get_in
from annotation.selectors.quality.overview import overview, plan_of, record, rules_in_force
from annotation.selectors.quality.practice import standing
from annotation.services.quality.actions import action_lift, action_take
from annotation.services.quality.rules import plan_set, rule_add, rule_end
from annotation.views.pages import campaign_page


@never_cache
@require_safe
def quality(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    return _page(request, campaign, rights)


def _page(request: HttpRequest, campaign: Campaign, rights: Rights, **forms: Any) -> HttpResponse:
    context = {
        "plan": PlanForm(instance=plan_of(campaign), auto_id="plan_%s"),
        "rule": RuleForm(auto_id="rule_%s"),
        **forms,
    }
    return campaign_page(
        request, "annotation/quality.html", campaign=campaign, rights=rights,
        page=Paginator(overview(campaign=campaign), 100).get_page(request.GET.get("page")),
        rules=rules_in_force(campaign=campaign),
        status=422 if forms else 200, **context,
    )  # fmt: skip


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
    return _page(request, campaign, rights, plan=form)


@require_POST
def rule_new(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = RuleForm(request.POST, auto_id="rule_%s")
    if form.is_valid():
        data = form.cleaned_data
        try:
            rule_add(
                campaign=campaign, check=data["check"], least=data["least"],
                share=data["percent"] / 100, act=data["act"], actor=request.user,
            )  # fmt: skip
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("The rule is in force from the next submitted sheet on."))
            return redirect("quality", slug)
    return _page(request, campaign, rights, rule=form)


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
    found = get_in(
        campaign, QualityAction, action, "rule", "annotator__campaign", "exclusion", "campaign"
    )
    if request.POST.get("do") == "take":
        action_take(action=found, actor=request.user)
        messages.success(request, _("The action was taken."))
    elif request.POST.get("do") == "lift":
        action_lift(action=found, actor=request.user)
        messages.success(request, _("Lifted. The rule looks at new work only from now on."))
    else:
        raise Invalid(_("Choose to take or to lift it."))
    back = request.POST.get("back", "")
    if url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        return redirect(back)
    return redirect("quality-record", slug, found.annotator.key)


@never_cache
@require_safe
def record_page(request: HttpRequest, slug: str, annotator: UUID) -> HttpResponse:
    """Show everything known about one annotator's work."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    found = get_in(campaign, Annotator, annotator)
    found.campaign = campaign
    plan = plan_of(campaign)
    return campaign_page(
        request, "annotation/quality_record.html", campaign=campaign, rights=rights,
        annotator=found, plan=plan, record=record(annotator=found, plan=plan),
        standing=standing(campaign=campaign, annotator=found),
    )  # fmt: skip
