"""Pages of metric runs: start, watch, cancel, retry, update; and the worker banner."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.errors import Conflict, Invalid, NotAllowed
from annotation.models import Campaign
from annotation.selectors.access import campaign_get, campaigns_read_by, researches
from annotation.selectors.campaigns.languages import languages_of
from annotation.views.pages import campaign_page
from scoring.forms.runs import RunForm
from scoring.models import Run
from scoring.selectors.matches import has_matches
from scoring.selectors.runs import (
    run_get,
    runs_progress,
    runs_under_way,
    system_scores,
    undefined_scores,
)  # fmt: skip
from scoring.selectors.workers import worker_status
from scoring.services.runs.start import run_cancel, run_retry, runs_start
from scoring.services.runs.update import run_update
from scoring.views.runs.metrics import FAMILIES

AGAINST = [
    ("", gettext_lazy("The references if every text has one, the original if none has")),
    ("original", gettext_lazy("The original")),
    ("references", gettext_lazy("The references")),
    ("both", gettext_lazy("Both")),
    ("mixed", gettext_lazy("Each text with its references, and with the original if it has none")),
]


@require_http_methods(["GET", "POST"])
def runs(request: HttpRequest, slug: str) -> HttpResponse:
    """The campaign's runs; a POST starts new ones. `?choose=` ticks a group of metrics."""
    posted = request.method == "POST"
    right = "research" if posted else "read"
    campaign, rights = campaign_get(user=request.user, slug=slug, right=right)
    form = None
    if rights.research:
        spoken = languages_of(campaign=campaign)
        quick = "" if posted else request.GET.get("choose", "")
        form = RunForm(
            request.POST if posted else None, user=request.user, campaign=campaign, quick=quick,
            languages=spoken,
        )  # fmt: skip
    if form is not None and form.valid and _started(request, campaign, form):
        return redirect("runs", slug)
    progress = runs_progress(campaign=campaign)
    return campaign_page(
        request, "scoring/runs.html", campaign=campaign, rights=rights, runs=progress,
        active=runs_under_way(campaign=campaign) is not None, form=form,
        families=[(FAMILIES[family], fields) for family, fields in form.families] if form else [],
        scopes=Run.Scope.choices, policies=AGAINST, status=422 if posted else 200,
    )  # fmt: skip


def _started(request: HttpRequest, campaign: Campaign, form: RunForm) -> bool:
    """Start the chosen metrics; errors about the campaign are added to the form."""
    try:
        runs_start(campaign=campaign, specs=form.specs, actor=request.user, scope=form.scope)
    except Invalid as refusal:
        form.errors.append(refusal.message)
        return False
    n = len(form.specs)
    said = ngettext("%(n)d metric was started.", "%(n)d metrics were started.", n) % {"n": n}
    messages.success(request, said)
    return True


@require_GET
def runs_fragment(request: HttpRequest, slug: str) -> HttpResponse:
    """The list of runs as a fragment, polled while one is active."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    progress = runs_progress(campaign=campaign)
    context = {
        "campaign": campaign,
        "rights": rights,
        "runs": progress,
        "active": runs_under_way(campaign=campaign) is not None,
    }
    return render(request, "scoring/_runs.html", context)


@require_GET
def run_page(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """One run: its signature, its system scores, and the texts without a value."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    run = run_get(campaign=campaign, key=key)
    named = run.options.get("lang", "")  # It is assumed of texts that say nothing.
    assumed = named if named and "" in languages_of(campaign=campaign) else ""
    return campaign_page(
        request, "scoring/run.html", campaign=campaign, rights=rights, run=run, assumed=assumed,
        matches=rights.research and has_matches(run),
        systems=system_scores(runs=[run]), undefined=undefined_scores(run=run)[:100],
    )  # fmt: skip


@require_POST
def cancel(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    run_cancel(run=run_get(campaign=campaign, key=key), actor=request.user)
    return redirect("runs", slug)


@require_POST
def retry(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    run_retry(run=run_get(campaign=campaign, key=key), actor=request.user)
    return redirect("runs", slug)


@require_POST
def update(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Score texts added later; if that is not possible, the runs page shows why."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    try:
        run_update(run=run_get(campaign=campaign, key=key), actor=request.user)
    except Conflict as refusal:
        messages.error(request, refusal.message)
    return redirect("runs", slug)


@require_GET
def worker_banner(request: HttpRequest) -> HttpResponse:
    """The banner that no worker is alive; polled by the pages of members who may read a
    campaign, and by the page of resources."""
    user = request.user
    if not (researches(user=user) or campaigns_read_by(user=user).exists()):
        raise NotAllowed(_("Only members who may see results can open this page."))
    return render(request, "scoring/_worker.html", {"worker": worker_status()})
