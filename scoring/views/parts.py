"""What forms of builds have in common: fields by the beginning of their names, and options."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest

from annotation.models import Campaign
from annotation.selectors.access import ADD_RESOURCES, may_create
from annotation.services.importing import ImportReport
from annotation.views.campaigns.importing import counted
from paraanno.translated import translated
from scoring.building.recipes.recipe import Recipe
from scoring.models import Build

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


def options_shown(request: HttpRequest, recipe: Recipe, beginning: str) -> list[dict[str, Any]]:
    """The options of a recipe as they were sent, else with their defaults."""
    return [
        {
            "name": one.name,
            "value": request.POST.get(f"{beginning}{one.name}", one.default),
            "values": one.values,
            "summary": translated(one.summary),
        }
        for one in recipe.options
    ]


def build_of_texts(
    request: HttpRequest, campaign: Campaign, start: Callable[..., tuple[Build, bool]]
) -> Build:
    """Ask for a build of the campaign's texts, of a file or of a resource, as the form says."""
    source = request.POST.get("source", OWN)
    file = request.FILES.get("file") if source == FILE else None
    inputs = {"vectors": request.POST["vectors"]} if request.POST.get("vectors") else {}
    if source not in (OWN, FILE):
        inputs["texts"] = source
    build, _new = start(
        campaign=campaign, inputs=inputs, own=source == OWN,
        file=file if isinstance(file, UploadedFile) else None,
        options=fields_sent(request, OPTION), name=request.POST.get("name", "").strip()[:200],
        actor=request.user,
    )  # fmt: skip
    return build


def form_shown(request: HttpRequest, problem: str, most_bytes: int) -> dict[str, Any]:
    """What every form of a build shows, for its template; and the status of the answer."""
    return {
        "problem": problem,
        "may_add": may_create(user=request.user, what=ADD_RESOURCES),
        "most": most_bytes // 2**20,
        "name": request.POST.get("name", ""),
        "status": 422 if problem else 200,
    }


def options_folded(request: HttpRequest, recipe: Recipe, first: Collection[str]) -> dict[str, Any]:
    """The options that stand in a form, and the others, which are folded away."""
    every = options_shown(request, recipe, OPTION)
    return {
        "options": [one for one in every if one["name"] in first],
        "more_options": [one for one in every if one["name"] not in first],
    }


def import_shown(request: HttpRequest, build: Build, report: ImportReport | None) -> dict[str, Any]:
    """What an import of something built would do, or has refused; and the status of the answer."""
    problems = report.problems if report else ()
    return {
        "report": report,
        "counts": counted(report),
        "problems": problems[:SHOWN],
        "more": max(0, len(problems) - SHOWN),
        "file_name": build.name,
        "told": translated(build.said).splitlines(),
        "status": 422 if report and not report.ok and request.method == "POST" else 200,
    }
