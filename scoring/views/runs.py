"""Metric runs: starting, watching, cancelling, trying again; and the life of workers."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.selectors.access import campaign_get, campaigns_read_by
from annotation.services.errors import Invalid, NotAllowed
from annotation.views.pages import campaign_page
from scoring.metrics.spec import MetricSpec
from scoring.models import Run
from scoring.selectors.runs import metric_choices, run_get, runs_progress, system_scores
from scoring.selectors.workers import worker_status
from scoring.services.runs import run_cancel, run_retry, run_start

AGAINST = [
    ("", gettext_lazy("References where there are any, else the original")),
    ("original", gettext_lazy("The original")),
    ("references", gettext_lazy("The references")),
    ("both", gettext_lazy("Both")),
]


@require_http_methods(["GET", "POST"])
def runs(request: HttpRequest, slug: str) -> HttpResponse:
    """The campaign's runs; a POST starts one."""
    right = "research" if request.method == "POST" else "read"
    campaign, rights = campaign_get(user=request.user, slug=slug, right=right)
    if request.method == "POST":
        try:
            for name in request.POST.getlist("metric"):
                run_start(
                    campaign=campaign, spec=_spec(request, name), actor=request.user,
                    scope=request.POST.get("scope") or Run.Scope.SENTENCE,
                )  # fmt: skip
        except Invalid as refusal:
            messages.error(request, refusal.message)
        return redirect("runs", slug)
    progress = runs_progress(campaign=campaign)
    return campaign_page(
        request, "scoring/runs.html", campaign=campaign, rights=rights, runs=progress,
        active=any(one.active for one in progress), choices=metric_choices(),
        scopes=Run.Scope.choices,
    )  # fmt: skip


def _spec(request: HttpRequest, name: str) -> MetricSpec:
    """The metric with the options of its part of the form; empty ones keep their default."""
    choice = next((one for one in metric_choices() if one.name == name), None)
    if choice is None:
        raise Invalid(_("There is no metric %(name)s.") % {"name": f"{name!r}"})
    options = {
        option.name: request.POST[f"{name}.{option.name}"]
        for option in choice.options
        if request.POST.get(f"{name}.{option.name}", "") not in ("", option.default)
    }
    changed = ",".join(f"{option}={value}" for option, value in options.items())
    key = f"{name}:{changed}" if changed else name
    return MetricSpec(key=key, name=name, options=tuple(options.items()))


@require_GET
def runs_fragment(request: HttpRequest, slug: str) -> HttpResponse:
    """The list of runs alone, polled while one is at work."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    progress = runs_progress(campaign=campaign)
    context = {
        "campaign": campaign,
        "rights": rights,
        "runs": progress,
        "active": any(one.active for one in progress),
    }
    return render(request, "scoring/_runs.html", context)


@require_GET
def run_page(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """One run: its signature, its system scores, and the texts without a value."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    run = run_get(campaign=campaign, key=key)
    undefined = run.scores.filter(value=None).select_related("substitution__item")[:100]
    return campaign_page(
        request, "scoring/run.html", campaign=campaign, rights=rights, run=run,
        systems=system_scores(runs=[run]), undefined=undefined,
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


@require_GET
def worker_banner(request: HttpRequest) -> HttpResponse:
    """Whether a worker lives; polled by the pages of who may read a campaign."""
    if not campaigns_read_by(user=request.user).exists():
        raise NotAllowed(_("This is for members who read results."))
    return render(request, "scoring/_worker.html", {"worker": worker_status()})
