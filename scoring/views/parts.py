"""What forms of builds have in common: fields by the beginning of their names, and options."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Campaign, Ownership
from annotation.selectors.access import ADD_RESOURCES, may_create
from annotation.selectors.scope import place_read, scope_choices
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


def options_shown(
    request: HttpRequest, recipe: Recipe, beginning: str, again: Build | None = None
) -> list[dict[str, Any]]:
    """The options of a recipe as they were sent, else as of the build `again`, else with their
    defaults; `number` asks for a keyboard of digits instead of letters."""
    before = again.options if again else {}
    return [
        {
            "name": one.name,
            "value": request.POST.get(f"{beginning}{one.name}", before.get(one.name, one.default)),
            "values": one.values,
            "number": _is_number(one.default),
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
    if source == FILE and file is None:
        raise Invalid(_("Choose a file, or other texts."))
    inputs = {"vectors": request.POST["vectors"]} if request.POST.get("vectors") else {}
    if source not in (OWN, FILE):
        inputs["texts"] = source
    build, _new = start(
        campaign=campaign, inputs=inputs, own=source == OWN,
        file=file if isinstance(file, UploadedFile) else None,
        options=fields_sent(request, OPTION), name=request.POST.get("name", "").strip()[:200],
        place=place_sent(request, campaign), actor=request.user,
    )  # fmt: skip
    return build


def place_sent(request: HttpRequest, campaign: Campaign) -> Ownership:
    """Where the file that is sent and what is made are to be."""
    value = request.POST.get("scope", "")
    return place_read(user=request.user, value=value, campaign=campaign)


def form_shown(
    request: HttpRequest, campaign: Campaign, problem: str, most_bytes: int
) -> dict[str, Any]:
    """What every form of a build shows, for its template; and the status of the answer."""
    return {
        "scopes": scope_choices(user=request.user, campaign=campaign),
        "scope": request.POST.get("scope", ""),
        "problem": problem,
        "may_add": may_create(user=request.user, what=ADD_RESOURCES),
        "most": most_bytes // 2**20,
        "name": request.POST.get("name", ""),
        "status": 422 if problem else 200,
    }


def options_folded(
    request: HttpRequest, recipe: Recipe, first: Collection[str], again: Build | None = None
) -> dict[str, Any]:
    """The options that stand in a form, and the others, which are folded away."""
    every = options_shown(request, recipe, OPTION, again)
    return {
        "options": [one for one in every if one["name"] in first],
        "more_options": [one for one in every if one["name"] not in first],
    }


def asked_again(
    request: HttpRequest, campaign: Campaign, get: Callable[..., Build]
) -> Build | None:
    """The build whose choices the address asks to see in the form again; NotFound if it is none."""
    key = request.GET.get("again")
    return get(user=request.user, campaign=campaign, key=key) if key else None


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
        "told": translated(build.said).splitlines(),
        "status": 422 if report and not report.ok and request.method == "POST" else 200,
    }
