"""Building a test set for a campaign: what it is made of, the preview, and its import."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from annotation.errors import Invalid
from annotation.forms.uploads import check_room
from annotation.models import Campaign
from annotation.selectors.access import Rights, campaign_get
from annotation.services.importing import ImportReport
from annotation.views.campaigns.importing import added
from annotation.views.pages import campaign_page
from paraanno.translated import translated
from scoring.building.recipes.registry import recipe
from scoring.models import Build
from scoring.selectors.builds import build_row, builds_for, recipe_offer
from scoring.selectors.built.test_sets import (
    RECIPE,
    Preview,
    preview,
    test_set_builds,
    test_set_get,
)
from scoring.services.builds.test_sets import MOST_BYTES, test_set_import, test_set_start
from scoring.views.parts import (
    OPTION,
    fields_sent,
    form_shown,
    import_shown,
    options_folded,
    place_sent,
)

INPUT, FILE = "input-", "file-"
FIRST = ("n", "seed", "contexts")  # Options that are not folded away.
INPUTS = {
    "sentences": (
        gettext_lazy("Test sentences"),
        gettext_lazy(
            "One sentence a line, its words separated by blanks: a corpus, or a file of your own."
        ),
    ),
    "phrases": (
        gettext_lazy("Paraphrases"),
        gettext_lazy(
            "A paraphrase table that was made from two texts on the page Resources, or a file "
            "with phrase, paraphrase and probability on each line, separated by tabs."
        ),
    ),
    "lm": (
        gettext_lazy("Language model"),
        gettext_lazy("For condition 1, which chooses with its help; without one it is left out."),
    ),
    "train": (
        gettext_lazy("Training text"),
        gettext_lazy(
            "The corpus that the table was made from: phrases that are rare in it are left out, "
            "and test sentences that are in it are reported."
        ),
    ),
    "parses": (
        gettext_lazy("Parses of the test sentences"),
        gettext_lazy(
            "For conditions 4 to 7, with a table that was made with parses of its English text; "
            "by the same parser."
        ),
    ),
}
REMOVED = {
    "grammar words and marks alone": gettext_lazy("function words and punctuation only"),
    "a mark at an end": gettext_lazy("begins or ends with punctuation"),
    "test count": gettext_lazy("too rare or too frequent in the test sentences"),
    "train count": gettext_lazy("too rare in the training text"),
    "no paraphrase": gettext_lazy("no paraphrase"),
    "overlaps a phrase drawn": gettext_lazy("overlaps a phrase that was drawn"),
}
CONDITIONS = {
    "0": gettext_lazy("the most probable paraphrase"),
    "2": gettext_lazy("the most probable in the mean over the labels of the phrase"),
    "4": gettext_lazy("the most probable of those seen with the label that the phrase has here"),
    "6": gettext_lazy("the most probable given the label that the phrase has here"),
    **{
        str(k): format_lazy(gettext_lazy("{condition}, chosen with the help of the language model"),
                            condition=str(k - 1))
        for k in (1, 3, 5, 7)
    },
}  # fmt: skip
LABELLED = ("2", "4", "6")
LOWERED = {
    "test_least": gettext_lazy("occurrences in the test sentences"),
    "train_least": gettext_lazy("occurrences in the training text"),
}


@require_http_methods(["GET", "POST"])
def test_set(request: HttpRequest, slug: str) -> HttpResponse:
    """The form, and test sets that were built before; a POST builds one."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    problem = ""
    if request.method == "POST":
        builds_for(user=request.user, add=True)
        check_room(request)
        try:
            build, _new = test_set_start(
                campaign=campaign, place=place_sent(request, campaign),
                inputs=fields_sent(request, INPUT), options=fields_sent(request, OPTION),
                files=_files(request), name=request.POST.get("name", "").strip()[:200],
                actor=request.user,
            )  # fmt: skip
        except Invalid as refusal:
            problem = refusal.message
        else:
            return redirect("test-set-build", slug, build.key)
    return campaign_page(
        request, "scoring/test_set.html", campaign=campaign, rights=rights,
        inputs=_inputs(request, campaign),
        builds=test_set_builds(user=request.user, campaign=campaign),
        **options_folded(request, recipe(RECIPE), FIRST),
        **form_shown(request, campaign, problem, MOST_BYTES),
    )  # fmt: skip


@require_http_methods(["GET", "POST"])
def test_set_build(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """How far a test set is, and its preview, polled until then; a POST imports it."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    build = test_set_get(user=request.user, campaign=campaign, key=key)
    if request.method == "POST":
        report = test_set_import(campaign=campaign, build=build, actor=request.user)
        if report.ok:
            new = added(report.counts)
            messages.success(request, _("Imported: %(new)s.") % {"new": new or _("nothing new")})
            return redirect("import", slug)
        return _page(request, campaign, rights, build, report)
    return _page(request, campaign, rights, build, None)


def _page(
    request: HttpRequest, campaign: Campaign, rights: Rights, build: Build,
    report: ImportReport | None,
) -> HttpResponse:  # fmt: skip
    found = preview(build=build)
    if found is not None and report is None:
        report = test_set_import(campaign=campaign, build=build, actor=request.user, dry_run=True)
    return campaign_page(
        request, "scoring/test_set_build.html", campaign=campaign, rights=rights, build=build,
        row=build_row(build=build, user=request.user), preview=found,
        shown=_shown(found, campaign) if found else None,
        anything=bool(report and any(report.counts.values())),
        **import_shown(request, build, report),
    )  # fmt: skip


def _shown(found: Preview, campaign: Campaign) -> dict[str, object]:
    """The figures with their texts."""
    figures = found.figures
    texts, by_design = int(figures["texts"]), campaign.annotators_per_sheet
    return {
        "figures": figures,
        "steps": [(REMOVED.get(name, name), gone, left) for name, gone, left in found.steps()],
        "lowered": [(LOWERED[name], before, now) for name, before, now in figures["lowered"]],
        "coverage": [
            (name, CONDITIONS.get(name, ""), n, share) for name, n, share in found.coverage()
        ],
        "model": "1" in figures["coverage"],
        "labelled": [name for name in LABELLED if name not in figures["coverage"]],
        "warnings": [translated(one["said"]) for one in figures["warnings"]],
        "judgments": [(k, k * texts) for k in sorted({1, 2, 3, 5, by_design})],
        "by_design": by_design,
        "phrases": found.phrases,
    }


def _files(request: HttpRequest) -> dict[str, UploadedFile]:
    return {
        name.removeprefix(FILE): file
        for name, file in request.FILES.items()
        if name.startswith(FILE) and isinstance(file, UploadedFile)
    }


def _inputs(request: HttpRequest, campaign: Campaign) -> list[dict[str, Any]]:
    offer = recipe_offer(user=request.user, recipe=recipe(RECIPE), campaign=campaign)
    return [
        {
            "role": role,
            "label": INPUTS[role][0],
            "help": INPUTS[role][1],
            "found": found,
            "chosen": request.POST.get(f"{INPUT}{role}", ""),
            "file": role not in offer.recipe.optional,
        }
        for role, found in offer.inputs
    ]
