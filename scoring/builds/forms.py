"""What forms of builds have in common: fields by the beginning of their names, and options."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.access import ADD_RESOURCES, may_create, place_read, scope_choices
from annotation.errors import Invalid
from annotation.http.campaign_page import CampaignPage
from annotation.http.pages import check_room
from annotation.importing.report import ImportReport
from annotation.importing.views import counted
from annotation.models import Ownership
from paraanno.template_filters import translated
from scoring.building.recipes.recipe import Recipe
from scoring.builds.queries import CampaignRecipe, builds_for, has_own_texts
from scoring.builds.services import MOST_BYTES
from scoring.models import Build

OPTION = "option-"
SHOWN = 200  # Problems of an import.
OWN, FILE = "own", "file"  # Of the field `source`; else it is the key of a resource.
# What forms call the options of recipes; commands and signatures have their names.
TITLES = {
    "bootstrap": gettext_lazy("Replicates for intervals"),
    "classifiers": gettext_lazy("Classifiers"),
    "column": gettext_lazy("Column of the texts"),
    "constituents": gettext_lazy("Share of constituents"),
    "contexts": gettext_lazy("Sentences per phrase"),
    "epochs": gettext_lazy("Epochs"),
    "gold": gettext_lazy("Column of the gold"),
    "iterations": gettext_lazy("Passes in each direction"),
    "label": gettext_lazy("Column of the class"),
    "least": gettext_lazy("Fewest"),
    "links": gettext_lazy("Links of the alignment"),
    "lm_per_word": gettext_lazy("Language model per word"),
    "lm_weight": gettext_lazy("Weight of the language model"),
    "lower": gettext_lazy("Lower the minimum counts if needed"),
    "marks": gettext_lazy("Paraphrases of punctuation"),
    "max_words": gettext_lazy("Words at most"),
    "metrics": gettext_lazy("Metrics"),
    "min_cosine": gettext_lazy("Lowest cosine"),
    "min_count": gettext_lazy("Fewest occurrences"),
    "min_labelled": gettext_lazy("Fewest labelled pairs"),
    "min_words": gettext_lazy("Words at least"),
    "model": gettext_lazy("Model"),
    "most": gettext_lazy("Paraphrases per phrase"),
    "mutual": gettext_lazy("Only mutual paraphrases"),
    "n": gettext_lazy("Number of phrases"),
    "order": gettext_lazy("Longest n-gram"),
    "original": gettext_lazy("Column of the originals"),
    "paraphrase": gettext_lazy("Column of the paraphrases"),
    "phrases": gettext_lazy("Join frequent pairs of words"),
    "prune": gettext_lazy("Leave out rare n-grams"),
    "repeat": gettext_lazy("Number of seeds"),
    "replace": gettext_lazy("Which words are replaced"),
    "seed": gettext_lazy("Seed"),
    "size": gettext_lazy("Dimensions"),
    "sizes": gettext_lazy("Sizes of the parts"),
    "skip_gram": gettext_lazy("Skip-gram"),
    "systems": gettext_lazy("Columns of the systems"),
    "test_least": gettext_lazy("Occurrences in the test text, at least"),
    "test_most": gettext_lazy("Occurrences in the test text, at most"),
    "tokenize": gettext_lazy("What a word is"),
    "train_least": gettext_lazy("Occurrences in the training text, at least"),
    "variants": gettext_lazy("Neighbours"),
    "window": gettext_lazy("Window"),
}


def option_title(name: str) -> str:
    """The title of an option, or its name where it has none."""
    return str(TITLES.get(name, name))


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


def texts_form(
    page: CampaignPage, of: CampaignRecipe, problem: str
) -> tuple[Build | None, dict[str, Any]]:
    """The build whose choices the address asks to see again (NotFound if it is none), and what a
    form shows that makes something of texts, with what was made before."""
    key = page.query.get("again")
    again = of.get(user=page.user, campaign=page.campaign, key=key) if key else None
    offer = dict(of.offer(user=page.user, campaign=page.campaign).inputs)
    has_own = has_own_texts(campaign=page.campaign)
    return again, {
        "builds": of.builds(user=page.user, campaign=page.campaign),
        "texts": offer["texts"],
        "vectors": offer["vectors"],
        "has_own": has_own,
        **_sources_shown(page.request, again, has_own=has_own),
        **form_shown(page, problem, MOST_BYTES),
    }


def _sources_shown(request: HttpRequest, again: Build | None, *, has_own: bool) -> dict[str, Any]:
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
