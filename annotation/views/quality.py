"""Hidden quality control, for researchers: who looks good, which rules watch, what they did."""

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

from annotation.models import Annotator, Campaign, QualityAction, QualityRule
from annotation.quality_forms import PlanForm, RuleForm
from annotation.selectors.access import Rights, campaign_get
from annotation.selectors.practice import standing
from annotation.selectors.quality import overview, record
from annotation.services.errors import Invalid, NotFound
from annotation.services.quality import plan_of, plan_set, rule_add, rule_end
from annotation.services.quality_actions import action_lift, action_take
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
        rules=campaign.quality_rules.filter(ended_at=None),
        status=422 if forms else 200, **context,
    )  # fmt: skip


@require_POST
def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """How the control works."""
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
    found = QualityRule.objects.filter(campaign=campaign, key=rule).first()
    if found is None:
        raise NotFound(_("There is no such rule."))
    rule_end(rule=found, actor=request.user)
    messages.success(request, _("The rule has ended; what it did stands until you lift it."))
    return redirect("quality", slug)


@require_POST
def action(request: HttpRequest, slug: str, action: UUID) -> HttpResponse:
    """Take it now, or lift it (drop it, where it is not taken yet)."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    found = (
        QualityAction.objects.filter(campaign=campaign, key=action)
        .select_related("rule", "annotator__campaign", "exclusion", "campaign")
        .first()
    )
    if found is None:
        raise NotFound(_("There is no such action."))
    if request.POST.get("do") == "take":
        action_take(action=found, actor=request.user)
        messages.success(request, _("Taken."))
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
def record_page(request: HttpRequest, slug: str, voice: UUID) -> HttpResponse:
    """All that is known of one annotator's work."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    annotator = Annotator.objects.filter(campaign=campaign, key=voice).first()
    if annotator is None:
        raise NotFound(_("There is no such annotator."))
    annotator.campaign = campaign
    plan = plan_of(campaign)
    return campaign_page(
        request, "annotation/quality_record.html", campaign=campaign, rights=rights,
        annotator=annotator, plan=plan, record=record(annotator=annotator, plan=plan),
        standing=standing(campaign=campaign, annotator=annotator),
    )  # fmt: skip
