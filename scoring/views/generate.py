"""Generating paraphrases for a campaign: of which texts, what came of it, and its import."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.errors import Invalid
from annotation.forms.uploads import check_room
from annotation.models import Campaign, ImportJob
from annotation.selectors.access import Rights, campaign_get
from annotation.services.importing import ImportReport
from annotation.views.campaigns.importing import added
from annotation.views.pages import campaign_page
from paraanno.translated import translated
from scoring.building.recipes.registry import recipe
from scoring.models import Build
from scoring.selectors.builds import build_row, builds_for, recipe_offer
from scoring.selectors.built.generated import (
    RECIPE,
    generated,
    generated_builds,
    generated_get,
    has_own_texts,
)
from scoring.services.builds.generated import (
    MOST_BYTES,
    paraphrases_import,
    paraphrases_start,
)
from scoring.views.parts import (
    OPTION,
    asked_again,
    build_of_texts,
    form_shown,
    import_shown,
    options_shown,
    sources_shown,
)


@require_http_methods(["GET", "POST"])
def generate(request: HttpRequest, slug: str) -> HttpResponse:
    """The form, and what was generated before; a POST generates."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    problem, again = "", asked_again(request, campaign, generated_get)
    if request.method == "POST":
        builds_for(user=request.user, add=True)
        check_room(request)
        try:
            build = build_of_texts(request, campaign, paraphrases_start)
        except Invalid as refusal:
            problem = refusal.message
        else:
            return redirect("generate-build", slug, build.key)
    has_own = has_own_texts(campaign=campaign)
    offer = dict(recipe_offer(user=request.user, recipe=recipe(RECIPE), campaign=campaign).inputs)
    return campaign_page(
        request, "scoring/generate.html", campaign=campaign, rights=rights,
        builds=generated_builds(user=request.user, campaign=campaign), texts=offer["texts"],
        vectors=offer["vectors"],
        has_own=has_own, **sources_shown(request, again, has_own=has_own),
        options=options_shown(request, recipe(RECIPE), OPTION, again),
        **form_shown(request, campaign, problem, MOST_BYTES),
    )  # fmt: skip


@require_http_methods(["GET", "POST"])
def generate_build(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """How far it is, and the result, polled until then; a POST imports it."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    build = generated_get(user=request.user, campaign=campaign, key=key)
    if request.method == "POST":
        made = paraphrases_import(campaign=campaign, build=build, actor=request.user)
        if isinstance(made, ImportJob):
            return redirect("import-job", slug, made.key)
        if made is not None and made.ok:
            new = added(made.counts)
            messages.success(request, _("Imported: %(new)s.") % {"new": new or _("nothing new")})
            return redirect("import", slug)
        return _page(request, campaign, rights, build, made)
    return _page(request, campaign, rights, build, None)


def _page(
    request: HttpRequest, campaign: Campaign, rights: Rights, build: Build,
    report: ImportReport | None,
) -> HttpResponse:  # fmt: skip
    found = generated(build=build)
    if found is not None and report is None:
        dry = paraphrases_import(campaign=campaign, build=build, actor=request.user, dry_run=True)
        report = dry if isinstance(dry, ImportReport) else None
    warnings = found.figures["warnings"] if found else ()
    return campaign_page(
        request, "scoring/generate_build.html", campaign=campaign, rights=rights, build=build,
        row=build_row(build=build, user=request.user), found=found,
        shown=found.shown() if found else (),
        shares=[(name, n, 100 * share) for name, n, share in found.shares()] if found else (),
        coverage=100 * float(found.figures["coverage"]) if found else 0,
        warnings=[translated(one["said"]) for one in warnings],
        anything=report is None or any(report.counts.values()),
        **import_shown(request, build, report),
    )  # fmt: skip
