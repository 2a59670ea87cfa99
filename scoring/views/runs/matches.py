"""Having the matches of a run judged."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from annotation.errors import Conflict, Invalid
from annotation.selectors.access import CREATE_CAMPAIGNS, campaign_get, creator, may_create
from annotation.views.pages import campaign_page
from scoring.metrics.phrases.judged_matches import SEED, USUAL
from scoring.selectors.matches import matched_sample
from scoring.selectors.runs import run_get
from scoring.services.matches import matches_campaign

SHOWN = 20


class MatchesForm(forms.Form):
    """How many matches, and what the campaign is called in addresses."""

    n = forms.IntegerField(label=gettext_lazy("Matches"), min_value=1, max_value=1000)
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"), min_value=0, max_value=10**6,
        help_text=gettext_lazy("The same seed draws the same matches."),
    )  # fmt: skip
    slug = forms.SlugField(
        label=gettext_lazy("Address of the new campaign"), max_length=50,
        help_text=gettext_lazy("Letters, digits and hyphens."),
    )  # fmt: skip


@require_http_methods(["GET", "POST"])
def matches(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The first matches of the sample; a POST makes a campaign of all of it."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    run = run_get(campaign=campaign, key=key)
    if request.method == "POST":
        creator(user=request.user, what=CREATE_CAMPAIGNS)
    first = {"n": USUAL, "seed": SEED, "slug": f"{slug}-matches"[:50]}
    form = MatchesForm(request.POST or None, initial=first)
    problem = ""
    if request.method == "POST" and form.is_valid():
        try:
            made = matches_campaign(run=run, actor=request.user, **form.cleaned_data)
        except Invalid as refusal:
            form.add_error("slug", refusal.message)
        else:
            messages.success(request, _("The campaign is a draft: open it when it is ready."))
            return redirect("campaign", made.slug)
    found = []
    try:
        found = matched_sample(run=run, n=USUAL, seed=SEED)
    except Conflict as refusal:
        problem = refusal.message
    return campaign_page(
        request, "scoring/matches.html", campaign=campaign, rights=rights, run=run, form=form,
        found=found[:SHOWN], n=len(found), problem=problem,
        may_create=may_create(user=request.user, what=CREATE_CAMPAIGNS),
        status=422 if form.errors else 200,
    )  # fmt: skip
