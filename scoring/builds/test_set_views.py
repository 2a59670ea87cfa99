"""Building a test set for a campaign: what it is made of, the preview, and its import."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from annotation.errors import Invalid
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.http.pages import check_room
from annotation.importing.report import ImportReport
from annotation.importing.views import added
from annotation.models import Campaign
from paraanno.template_filters import translated
from scoring.building.recipes.recipe import recipe
from scoring.builds.forms import (
    OPTION,
    fields_sent,
    form_shown,
    import_shown,
    options_folded,
    place_sent,
)
from scoring.builds.queries import (
    TEST_SETS,
    Preview,
    build_row,
    builds_for,
    preview,
)
from scoring.builds.work import MOST_BYTES, test_set_import, test_set_start
from scoring.models import Build

INPUT, TEST_SETS_FILE = "input-", "file-"
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
        str(k): format_lazy(
            gettext_lazy("{condition}, chosen with the help of the language model"),
            condition=str(k - 1),
        )
        for k in (1, 3, 5, 7)
    },
}
LABELLED = ("2", "4", "6")
LOWERED = {
    "test_least": gettext_lazy("occurrences in the test sentences"),
    "train_least": gettext_lazy("occurrences in the training text"),
}


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def test_set(page: CampaignPage) -> HttpResponse:
    """The form, and test sets that were built before; a POST builds one."""
    problem = ""
    if page.sent:
        builds_for(user=page.user, add=True)
        check_room(page.request)
        try:
            build, _new = test_set_start(
                campaign=page.campaign,
                place=place_sent(page),
                inputs=fields_sent(page.request, INPUT),
                options=fields_sent(page.request, OPTION),
                files=_files(page.request),
                name=page.post.get("name", "").strip()[:200],
                actor=page.user,
            )
        except Invalid as refusal:
            problem = refusal.message
        else:
            return page.go("test-set-build", build.key)
    return page.render(
        "scoring/test_set.html",
        inputs=_inputs(page),
        builds=TEST_SETS.builds(user=page.user, campaign=page.campaign),
        **options_folded(page.request, recipe(TEST_SETS.name), FIRST),
        **form_shown(page, problem, MOST_BYTES),
    )


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def test_set_build(page: CampaignPage, key: UUID) -> HttpResponse:
    """How far a test set is, and its preview, polled until then; a POST imports it."""
    build = TEST_SETS.get(user=page.user, campaign=page.campaign, key=key)
    if page.sent:
        report = test_set_import(campaign=page.campaign, build=build, actor=page.user)
        if report.ok:
            new = added(report.counts)
            return page.done(_("Imported: %(new)s.") % {"new": new or _("nothing new")}, "import")
        return _page(page, build, report)
    return _page(page, build, None)


def _page(page: CampaignPage, build: Build, report: ImportReport | None) -> HttpResponse:
    summary = preview(build=build)
    if summary is not None and report is None:
        report = test_set_import(campaign=page.campaign, build=build, actor=page.user, dry_run=True)
    return page.render(
        "scoring/test_set_build.html",
        build=build,
        row=build_row(build=build, user=page.user),
        preview=summary,
        shown=_shown(summary, page.campaign) if summary else None,
        anything=bool(report and any(report.counts.values())),
        **import_shown(page.request, build, report),
    )


def _shown(summary: Preview, campaign: Campaign) -> dict[str, object]:
    """The figures with their texts."""
    figures = summary.figures
    texts, by_design = int(figures["texts"]), campaign.annotators_per_sheet
    return {
        "figures": figures,
        "steps": [(REMOVED.get(name, name), gone, left) for name, gone, left in summary.steps()],
        "lowered": [(LOWERED[name], before, now) for name, before, now in figures["lowered"]],
        "coverage": [
            (name, CONDITIONS.get(name, ""), n, share) for name, n, share in summary.coverage()
        ],
        "model": "1" in figures["coverage"],
        "labelled": [name for name in LABELLED if name not in figures["coverage"]],
        "warnings": [translated(one["said"]) for one in figures["warnings"]],
        "judgments": [(k, k * texts) for k in sorted({1, 2, 3, 5, by_design})],
        "by_design": by_design,
        "phrases": summary.phrases,
    }


def _files(request: HttpRequest) -> dict[str, UploadedFile]:
    return {
        name.removeprefix(TEST_SETS_FILE): file
        for name, file in request.FILES.items()
        if name.startswith(TEST_SETS_FILE) and isinstance(file, UploadedFile)
    }


def _inputs(page: CampaignPage) -> list[dict[str, Any]]:
    offer = TEST_SETS.offer(user=page.user, campaign=page.campaign)
    return [
        {
            "role": role,
            "label": INPUTS[role][0],
            "help": INPUTS[role][1],
            "found": resources,
            "chosen": page.post.get(f"{INPUT}{role}", ""),
            "file": role not in offer.recipe.optional,
        }
        for role, resources in offer.inputs
    ]
