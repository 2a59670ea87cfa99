"""Building a test set for a campaign: what it is made of, the preview, and its import."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from annotation.access import (
    ADD_RESOURCES,
    may_create,
    place_read,
    scope_choices,
)
from annotation.errors import Invalid
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.http.pages import check_room
from annotation.importing.report import ImportReport
from annotation.importing.views import added, counted
from annotation.models import Campaign, Ownership
from paraanno.translated import translated
from scoring.building.recipes.recipe import Recipe, recipe
from scoring.builds.option_titles import option_title
from scoring.builds.queries import (
    RECIPE,
    Preview,
    build_row,
    builds_for,
    preview,
    recipe_offer,
    test_set_builds,
    test_set_get,
)
from scoring.builds.work import MOST_BYTES, test_set_import, test_set_start
from scoring.models import Build

# What forms of builds have in common: fields by the beginning of their names, and options.


OPTION = "option-"
SHOWN = 200  # Problems of an import.
OWN, FILE = "own", "file"  # Of the field `source`; else it is the key of a resource.


def fields_sent(request: HttpRequest, beginning: str) -> dict[str, str]:
    """The fields of that beginning that are filled in."""
    return {
        name.removeprefix(beginning): value.strip()
        for name, value in request.POST.items()
        if name.startswith(beginning) and isinstance(value, str) and value.strip()
    }


def options_shown(
    request: HttpRequest,
    recipe: Recipe,
    beginning: str,
    again: Build | None = None,
    proposed: Mapping[str, str] = {},
) -> list[dict[str, Any]]:
    """The options of a recipe as they were sent, else as of the build `again`, else as `proposed`,
    else with their defaults; `number` asks for a keyboard of digits instead of letters."""
    before = again.options if again else proposed
    return [
        {
            "name": one.name,
            "title": option_title(one.name),
            "value": request.POST.get(f"{beginning}{one.name}", before.get(one.name, one.default)),
            "values": one.values,
            "number": _is_number(one.default),
            "summary": translated(one.summary),
        }
        for one in recipe.options
    ]


def build_started(
    page: CampaignPage, start: Callable[..., tuple[Build, bool]]
) -> tuple[Build | None, str]:
    """The build that a form asked for when it was sent, or why it was refused."""
    if not page.sent:
        return None, ""
    builds_for(user=page.user, add=True)
    check_room(page.request)
    try:
        return _build_of_texts(page, start), ""
    except Invalid as refusal:
        return None, refusal.message


def _build_of_texts(page: CampaignPage, start: Callable[..., tuple[Build, bool]]) -> Build:
    """Ask for a build of the campaign's texts, of a file or of a resource, as the form says."""
    source = page.post.get("source", OWN)
    file = page.request.FILES.get("file") if source == FILE else None
    if source == FILE and file is None:
        raise Invalid(_("Choose a file, or other texts."))
    inputs = {"vectors": page.post["vectors"]} if page.post.get("vectors") else {}
    if source not in (OWN, FILE):
        inputs["texts"] = source
    build, _new = start(
        campaign=page.campaign,
        inputs=inputs,
        own=source == OWN,
        file=file if isinstance(file, UploadedFile) else None,
        options=fields_sent(page.request, OPTION),
        name=page.post.get("name", "").strip()[:200],
        place=place_sent(page),
        actor=page.user,
    )
    return build


def place_sent(page: CampaignPage) -> Ownership:
    """Where the file that is sent and what is made are to be."""
    value = page.post.get("scope", "")
    return place_read(user=page.user, value=value, campaign=page.campaign)


def form_shown(page: CampaignPage, problem: str, most_bytes: int) -> dict[str, Any]:
    """What every form of a build shows, for its template; and the status of the answer."""
    return {
        "scopes": scope_choices(user=page.user, campaign=page.campaign),
        "scope": page.post.get("scope", ""),
        "problem": problem,
        "may_add": may_create(user=page.user, what=ADD_RESOURCES),
        "most": most_bytes // 2**20,
        "name": page.post.get("name", ""),
        "status": 422 if problem else 200,
    }


def options_folded(
    request: HttpRequest,
    recipe: Recipe,
    first: Collection[str],
    again: Build | None = None,
    proposed: Mapping[str, str] = {},
) -> dict[str, Any]:
    """The options that stand in a form, and the others, which are folded away."""
    every = options_shown(request, recipe, OPTION, again, proposed)
    return {
        "options": [one for one in every if one["name"] in first],
        "more_options": [one for one in every if one["name"] not in first],
    }


def asked_again(page: CampaignPage, get: Callable[..., Build]) -> Build | None:
    """The build whose choices the address asks to see in the form again; NotFound if it is none."""
    key = page.query.get("again")
    return get(user=page.user, campaign=page.campaign, key=key) if key else None


def sources_shown(request: HttpRequest, again: Build | None, *, has_own: bool) -> dict[str, Any]:
    """The texts and vectors that the form has chosen: those sent, or of the build `again`."""
    inputs = again.inputs.all() if again else ()
    stood = {one.role: str(one.resource.key) for one in inputs if one.resource}
    first = OWN if has_own else FILE
    if again and not again.own_texts:
        first = stood.get("texts", FILE)
    return {
        "source": request.POST.get("source", first),
        "chosen": request.POST.get("vectors", stood.get("vectors", "")),
    }


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def import_shown(request: HttpRequest, build: Build, report: ImportReport | None) -> dict[str, Any]:
    """What an import of something built would do, or has refused; and the status of the answer."""
    problems = report.problems if report else ()
    return {
        "report": report,
        "counts": counted(report),
        "problems": problems[:SHOWN],
        "more": max(0, len(problems) - SHOWN),
        "file_name": build.name,
        "told": translated(build.sentence).splitlines(),
        "status": 422 if report and not report.ok and request.method == "POST" else 200,
    }


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
        builds=test_set_builds(user=page.user, campaign=page.campaign),
        **options_folded(page.request, recipe(RECIPE), FIRST),
        **form_shown(page, problem, MOST_BYTES),
    )


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def test_set_build(page: CampaignPage, key: UUID) -> HttpResponse:
    """How far a test set is, and its preview, polled until then; a POST imports it."""
    build = test_set_get(user=page.user, campaign=page.campaign, key=key)
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
    offer = recipe_offer(user=page.user, recipe=recipe(RECIPE), campaign=page.campaign)
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
