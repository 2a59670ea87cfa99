"""A campaign in which people judge phrase pairs that a metric matched."""

from __future__ import annotations

import io
import json

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from annotation.access import CREATE_CAMPAIGNS, creator, may_create
from annotation.campaigns.services import campaign_create
from annotation.database import Actor, short_write
from annotation.errors import Conflict, Invalid
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.importing.items import items_import
from annotation.models import Campaign
from paraanno.common.panel_links import ScaleTemplate
from scoring.metrics.phrases.judged_matches import SEED, USUAL, rows
from scoring.models import Run
from scoring.runs.queries import matched_sample, run_get

SCALE = "SAME"


def matches_campaign(*, run: Run, n: int, seed: int, slug: str, actor: Actor) -> Campaign:
    """A draft campaign of a sample of the run's matches with one question, yes or no; three people
    judge each. Results then has the precision with its interval, and Agreement kappa.

    Callers check that the actor may read the run and create campaigns. Raises Conflict as
    `matched_sample`, and Invalid if there is no match, or as `campaign_create`.
    """
    pairs = matched_sample(run=run, n=n, seed=seed)
    if not pairs:
        raise Invalid(_("This run has no match of several words on both sides."))
    question = _("Do the two phrases mean the same in their sentences?")
    scale = ScaleTemplate(
        SCALE,
        question,
        ((0, _("No"), _("another meaning here")), (1, _("Yes"), _("the same meaning here"))),
        level="nominal",
        minimum=0,
        maximum=1,
        threshold=1,
    )
    name = _("Matches of %(run)s") % {"run": run.label}
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows(pairs))
    with short_write():  # A thousand texts at most, and no campaign without them.
        campaign = campaign_create(
            actor=actor,
            slug=slug,
            name=name[:200],
            scales=[scale],
            guideline=_guideline(),
            language=run.campaign.language,
        )
        report = items_import(
            campaign=campaign,
            stream=io.BytesIO(lines.encode()),
            name="matches.jsonl",
            actor=actor,
            format="jsonl",
            provenance={
                "recipe": "matches",
                "signature": run.signature,
                "n": len(pairs),
                "seed": seed,
            },
        )
        if not report.ok:
            raise Invalid("\n".join(map(str, report.problems[:10])))
    return campaign


def _guideline() -> str:
    return _(
        "A metric took the two phrases for paraphrases. Read both sentences, and say whether the "
        "phrases mean the same in them. They need not have the same form."
    )


# Having the matches of a run judged.


SHOWN = 20


class MatchesForm(forms.Form):
    """How many matches, and what the campaign is called in addresses."""

    n = forms.IntegerField(label=gettext_lazy("Matches"), min_value=1, max_value=1000)
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=10**6,
        help_text=gettext_lazy("The same seed draws the same matches."),
    )
    slug = forms.SlugField(
        label=gettext_lazy("Address of the new campaign"),
        max_length=50,
        help_text=gettext_lazy("Letters, digits and hyphens."),
    )


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def matches(page: CampaignPage, key: str) -> HttpResponse:
    """The first matches of the sample; a POST makes a campaign of all of it."""
    run = run_get(campaign=page.campaign, key=key)
    if page.sent:
        creator(user=page.user, what=CREATE_CAMPAIGNS)
    first = {"n": USUAL, "seed": SEED, "slug": f"{page.slug}-matches"[:50]}
    form = MatchesForm(page.posted, initial=first)
    problem = ""
    if page.sent and form.is_valid():
        try:
            made = matches_campaign(run=run, actor=page.user, **form.cleaned_data)
        except Invalid as refusal:
            form.add_error("slug", refusal.message)
        else:
            page.says(_("The campaign is a draft: open it when it is ready."))
            return redirect("campaign", made.slug)
    sample = []
    try:
        sample = matched_sample(run=run, n=USUAL, seed=SEED)
    except Conflict as refusal:
        problem = refusal.message
    return page.render(
        "scoring/matches.html",
        run=run,
        form=form,
        found=sample[:SHOWN],
        n=len(sample),
        problem=problem,
        may_create=may_create(user=page.user, what=CREATE_CAMPAIGNS),
    )
