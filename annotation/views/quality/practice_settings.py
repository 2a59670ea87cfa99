"""Practice and test for researchers: texts, requirements, and the annotators' standing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import Conflict, Invalid
from annotation.forms.quality import PracticeRuleForm, PracticeTextForm
from annotation.models import Annotator, Campaign, Substitution
from annotation.selectors.access import Rights, campaign_get, get_in
from annotation.selectors.quality.practice import practice_listed, rule_of, standings, tolerances
from annotation.services.quality.imports import text_add
from annotation.services.quality.practice import practice_grant, practice_set
from annotation.views.pages import campaign_page


@require_http_methods(["GET", "POST"])
def practice(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page; a POST sets the rule."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    if request.method != "POST":
        return _page(request, campaign, rights)
    form = _rule_form(campaign, request.POST)
    if form.is_valid():
        try:
            practice_set(campaign=campaign, actor=request.user, **form.as_rule())
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("practice", slug)
    return _page(request, campaign, rights, rule=form)


def _rule_form(campaign: Campaign, data: Any = None) -> PracticeRuleForm:
    rule = rule_of(campaign)
    initial = {"required": rule.required, "percent": f"{100 * rule.share:g}", "tries": rule.tries}
    return PracticeRuleForm(
        data, scales=campaign.scales.all(), tolerances=tolerances(campaign), initial=initial,
        auto_id="rule_%s",
    )  # fmt: skip


def _text_form(campaign: Campaign, data: Any = None) -> PracticeTextForm:
    return PracticeTextForm(data, scales=campaign.scales.all(), explain=True, auto_id="text_%s")


def _page(request: HttpRequest, campaign: Campaign, rights: Rights, **forms: Any) -> HttpResponse:
    context = {"rule": _rule_form(campaign), "text": _text_form(campaign), **forms}
    return campaign_page(
        request, "annotation/practice_settings.html", campaign=campaign, rights=rights,
        texts=practice_listed(campaign=campaign),
        lines=standings(campaign=campaign), status=422 if forms else 200, **context,
    )  # fmt: skip


@require_POST
def text_new(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = _text_form(campaign, request.POST)
    if form.is_valid():
        role = Substitution.Role.PRACTICE
        try:
            text_add(campaign=campaign, role=role, actor=request.user, **form.as_text())
        except (Invalid, Conflict) as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("The text was added."))
            return redirect("practice", slug)
    return _page(request, campaign, rights, text=form)


@require_POST
def grant(request: HttpRequest, slug: str, annotator: UUID) -> HttpResponse:
    """Give an annotator one more try, or let them in without the test."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    found = get_in(campaign, Annotator, annotator)
    practice_grant(annotator=found, kind=request.POST.get("kind", ""), actor=request.user)
    messages.success(request, _("Another try was given."))
    return redirect("quality-record", slug, annotator)
