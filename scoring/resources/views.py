"""Resources, the files that metrics need: listing, adding, checking and removing them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import (
    ADD_RESOURCES,
    ScopeChoice,
    may_create,
    place_read,
    refuse_move,
    scope_choices,
    scope_value,
)
from annotation.errors import Conflict, Invalid
from annotation.http.scope_fields import ScopeField, scope_offer
from paraanno.translated import translated
from scoring.builds import views
from scoring.builds.option_titles import option_title
from scoring.builds.queries import RecipeOffer, build_rows, recipe_offers
from scoring.metrics.resources.kinds import kinds
from scoring.models import Resource
from scoring.resources.models_page import model_rows
from scoring.resources.queries import (
    ResourceRow,
    names_server_files,
    resource_get,
    resource_row,
    resource_rows,
    resources_for,
    workers_memory,
)
from scoring.resources.services import (
    resource_from_server,
    resource_move,
    resource_remove,
    resource_upload,
)
from scoring.resources.uploads import ResourceUpload
from scoring.runs.metric_choices import MODELS, Usable, metrics_usable

# Label of each kind, and a description of its files.
KINDS = {
    "vectors": (
        gettext_lazy("Word vectors"),
        gettext_lazy(
            "Text of word2vec, fastText (.vec) or GloVe: a word and its values on each line. Or "
            "word2vec’s binary form, in a file called .bin; or a model of fastText (.bin), which "
            "has vectors for unknown words too."
        ),
    ),
    "table": (
        gettext_lazy("Paraphrase table"),
        gettext_lazy(
            "PPDB text, a Moses phrase table, or two phrases on each line, separated by a tab."
        ),
    ),
    "synonyms": (
        gettext_lazy("Synonyms"),
        gettext_lazy("Synonymous phrases on each line, separated by tabs."),
    ),
    "counts": (
        gettext_lazy("Page counts"),
        gettext_lazy(
            "The number of pages with a word, or with two words together; or a corpus to count "
            "in, one document on each line. The first line says which."
        ),
    ),
    "nbest": (
        gettext_lazy("n-best lists"),
        gettext_lazy(
            "An original, a realisation and its model score on each line, separated by tabs; or "
            "the same as JSON Lines."
        ),
    ),
    "corpus": (
        gettext_lazy("Corpus"),
        gettext_lazy(
            "Text of one sentence a line, its words separated by blanks: for language models and "
            "counts of phrases. No metric reads it."
        ),
    ),
    "lm": (
        gettext_lazy("Language model"),
        gettext_lazy(
            "An n-gram model in the ARPA format, as manage.py train_lm, KenLM and SRILM write it."
        ),
    ),
    "parses": (
        gettext_lazy("Parses"),
        gettext_lazy(
            "A tree in brackets for each sentence of a text, or CoNLL-U: for paraphrases by "
            "syntactic label. No metric reads it."
        ),
    ),
    "translations": (
        gettext_lazy("Translations of phrases"),
        gettext_lazy(
            "A phrase table of Moses: foreign ||| phrase ||| p(f|e) lex(f|e) p(e|f). For the "
            "metric pivot_f1."
        ),
    ),
    "links": (
        gettext_lazy("Links of words"),
        gettext_lazy(
            "What another aligner has made of two texts, as awesome-align, SimAlign and eflomal "
            "write it: 0-0 1-2 on the line of each pair. For tables of these texts. No metric "
            "reads it."
        ),
    ),
    "aligned_pairs": (
        gettext_lazy("Sentences linked by hand"),
        gettext_lazy(
            "Two sentences with the same meaning and the links of their words (0-0 1?2) on each "
            "line, separated by tabs: to rate a paraphrase table. No metric reads it."
        ),
    ),
    "texts": (
        gettext_lazy("Table of texts"),
        gettext_lazy(
            "CSV, TSV or JSON Lines with a row for each text, in columns such as text, class, or "
            "paraphrases; an id if there is one. No metric reads it."
        ),
    ),
}
# What brings metrics besides files of a kind.
BROUGHT = {
    MODELS: gettext_lazy("Neural models"),
    "regressor": gettext_lazy("Regressor"),
    "": gettext_lazy("Library or dictionary"),
}
# What is made here only, and not uploaded.
MADE = {
    "test_set": gettext_lazy("Test set"),
    "extrinsic": gettext_lazy("Extrinsic evaluation"),
    "regressor": gettext_lazy("Regressor"),
    "parametric": gettext_lazy("Rating of a paraphrase table"),
}
# Inputs of recipes that take several of one kind.
ROLES = {
    "english": gettext_lazy("English sentences"),
    "foreign": gettext_lazy("Their translations, line by line"),
    "links": gettext_lazy("Links of their words"),
    "parses": gettext_lazy("Parses of the English sentences"),
}
FURTHER = re.compile(r"(.+)_(\d+)")  # What belongs to a further corpus.
# Labels of the counts that a conversion returns.
COUNTED = {
    "words": gettext_lazy("words"),
    "size": gettext_lazy("values each"),
    "phrases": gettext_lazy("phrases"),
    "pairs": gettext_lazy("pairs"),
    "skipped": gettext_lazy("lines left out"),
    "texts": gettext_lazy("paraphrases"),
    "groups": gettext_lazy("groups"),
    "pages": gettext_lazy("pages"),
    "items": gettext_lazy("items"),
    "realisations": gettext_lazy("realisations"),
    "sentences": gettext_lazy("sentences"),
    "aligned": gettext_lazy("pairs aligned"),
    "distinct": gettext_lazy("distinct words"),
    "fallbacks": gettext_lazy("orders without estimated discounts"),
    "order": gettext_lazy("words in its longest n-grams"),
    "ngrams": gettext_lazy("n-grams"),
    "floored": gettext_lazy("unknown word added"),
    "trees": gettext_lazy("trees"),
    "parsed": gettext_lazy("words in trees"),
    "labels": gettext_lazy("syntactic labels"),
    "rows": gettext_lazy("texts"),
    "columns": gettext_lazy("columns"),
    "foreign": gettext_lazy("foreign phrases"),
    "linked": gettext_lazy("links"),
    "vectors": gettext_lazy("support vectors"),
    "tokens": gettext_lazy("words of text"),
    "classifiers": gettext_lazy("classifiers"),
    "left_out": gettext_lazy("rows without a text"),
}


# Counts of what is worth a word if there is any.
REMARKS = ("fallbacks", "floored", "left_out", "labels")


class ResourceForm(forms.Form):
    """A file, uploaded or (for administrators) named on the server. The file comes last, so that
    the other fields have been read if it is refused."""

    kind = forms.ChoiceField(label=gettext_lazy("Kind"))
    name = forms.CharField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Shown in lists of choices; if empty, the file’s name."),
    )
    scope = ScopeField()
    path = forms.CharField(
        label=gettext_lazy("File on the server"),
        required=False,
        max_length=1000,
        help_text=gettext_lazy("Instead of an upload: its path below the server’s folder."),
    )
    file = forms.FileField(label=gettext_lazy("File"), required=False)

    def __init__(
        self,
        *args: Any,
        server: bool,
        choices: Sequence[ScopeChoice],
        problem: str = "",
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        scope_offer(self, choices)
        self.problem = problem
        self.fields["kind"].choices = [(kind, KINDS[kind][0]) for kind in kinds()]  # type: ignore[attr-defined]
        most = settings.RESOURCE_MAX_BYTES
        self.fields["file"].help_text = _("At most %(most)s MB.") % {"most": most // 2**20}
        self.fields["file"].widget.attrs.update(
            {
                "data-most": most,
                "data-said": _("This file is larger than %(most)s MB.") % {"most": most // 2**20},
            }
        )
        if not server:
            del self.fields["path"]
            self.fields["file"].widget.attrs["required"] = True

    def clean(self) -> dict[str, Any]:
        data = dict(self.cleaned_data)
        if self.problem:
            self.add_error("file", self.problem)
        elif "file" not in self.errors and bool(data.get("file")) == bool(data.get("path")):
            self.add_error(
                "file",
                _("Choose a file, or name one on the server, not both.")
                if "path" in self.fields
                else _("Choose a file."),
            )
        return data


# CSRF is checked by `_resources`, because the check reads the form, and with it the file.
@csrf_exempt
@require_http_methods(["GET", "POST"])
def resources(request: HttpRequest) -> HttpResponse:
    """The resources that this user sees; a POST adds one."""
    resources_for(
        user=request.user, add=request.method == "POST"
    )  # Permission is checked before any byte of a file is read.
    upload = ResourceUpload()
    request.upload_handlers = [upload]
    return _resources(request, upload)


@csrf_protect
def _resources(request: HttpRequest, upload: ResourceUpload) -> HttpResponse:
    server = bool(settings.RESOURCE_DIR) and names_server_files(user=request.user)
    posted = request.method == "POST"
    choices = scope_choices(user=request.user)
    form = ResourceForm(
        request.POST if posted else None,
        request.FILES if posted else None,
        server=server,
        choices=choices,
        problem=upload.problem,
    )
    if posted and form.is_valid():
        try:
            resource, queued = _given(request, form.cleaned_data, upload.digest)
        except Invalid as refusal:
            form.add_error("path" if form.cleaned_data.get("path") else "file", refusal.message)
        else:
            message = _("%(name)s is being checked; it can be used once it is ready.")
            if not queued:
                message = _("This file already exists, as %(name)s.")
            messages.success(request, message % {"name": resource.name})
            return redirect("resources")
    rows = resource_rows(user=request.user)
    offers = recipe_offers(user=request.user)
    usable = metrics_usable(user=request.user)
    context = {
        "usable": usable,
        "groups": _groups(usable, rows, offers),
        "unfolded": any(row.active or row.resource.status == "refused" for row in rows),
        "rows": [_shown(row) for row in rows],
        "form": form,
        "scopes": choices,
        "kinds": [KINDS[kind] for kind in kinds()],
        "may_add": may_create(user=request.user, what=ADD_RESOURCES),
        "builds": [views.shown(row) for row in build_rows(user=request.user)],
        "recipes": [_offered(offer) for offer in offers],
        "memory": workers_memory() if names_server_files(user=request.user) else None,
        "models": model_rows(),
        "may_add_models": names_server_files(user=request.user),
    }
    return render(request, "scoring/resources.html", context, status=422 if form.errors else 200)


def _groups(
    usable: Usable, rows: Sequence[ResourceRow], offers: Sequence[RecipeOffer]
) -> list[tuple[str, list[dict[str, object]]]]:
    """What brings metrics: kinds of files that are missing, then those that are there."""
    missing: list[dict[str, object]] = []
    ready: list[dict[str, object]] = []
    for one in usable.brought:
        files = [row for row in rows if row.resource.kind == one.kind]
        there = [row for row in files if row.resource.status == Resource.Status.READY]
        made = [offer for offer in offers if offer.recipe.kind == one.kind and offer.possible]
        group = {
            "brought": one,
            "label": BROUGHT[one.kind] if one.kind in BROUGHT else KINDS[one.kind][0],
            "files": there,
            "size": sum(row.resource.size for row in there),
            "runs": sum(row.runs for row in there),
            "checked": len(files) - len(there),
            "recipe": made[0].recipe.name if made else "",
            "uploaded": one.kind in KINDS,
        }
        (ready if one.there else missing).append(group)
    return [(_("Missing"), missing), (_("Ready"), ready)]


def _given(request: HttpRequest, data: Mapping[str, Any], digest: str) -> tuple[Resource, bool]:
    about = {
        "kind": data["kind"],
        "name": data["name"],
        "actor": request.user,
        "place": place_read(user=request.user, value=data["scope"]),
    }
    if data.get("path"):
        return resource_from_server(path=data["path"], **about)
    file = data["file"]
    return resource_upload(
        file=Path(file.temporary_file_path()), digest=digest, file_name=file.name, **about
    )


def _role_label(role: str, kind: str) -> str:
    """What a role is called; those of further corpora have their number."""
    if (match := FURTHER.fullmatch(role)) and match[1] in ROLES:
        return f"{ROLES[match[1]]} ({match[2]})"
    return str(ROLES.get(role, KINDS[kind][0]))


def _offered(offer: RecipeOffer) -> dict[str, object]:
    """A recipe with its texts in the language of the page."""
    recipe = offer.recipe
    needed = [kind for role, kind in recipe.inputs.items() if role not in recipe.optional]
    return {
        "name": recipe.name,
        "title": translated(recipe.title),
        "summary": translated(recipe.summary),
        "inputs": [
            {
                "role": role,
                "further": bool(FURTHER.fullmatch(role)),
                "label": _role_label(role, recipe.inputs[role]),
                "found": candidates,
                "optional": role in recipe.optional,
                # Two texts that belong together: the newest would be offered for both.
                "choose": role not in recipe.optional and needed.count(recipe.inputs[role]) > 1,
            }
            for role, candidates in offer.inputs
        ],
        "further": any(FURTHER.fullmatch(role) for role in recipe.inputs),
        "possible": offer.possible,
        "needs": ", ".join(
            dict.fromkeys(
                str(KINDS[recipe.inputs[r]][0])
                for r, candidates in offer.inputs
                if not candidates and r not in recipe.optional
            )
        ),
        "options": [
            {
                "name": one.name,
                "title": option_title(one.name),
                "default": one.default,
                "values": one.values,
                "summary": translated(one.summary),
            }
            for one in recipe.options
        ],
    }


@require_GET
def resource(request: HttpRequest, key: str) -> HttpResponse:
    """One row of the list as a fragment, polled while its file is being checked."""
    row = resource_row(resource=resource_get(user=request.user, key=key), user=request.user)
    context = {"shown": _shown(row), "scopes": scope_choices(user=request.user)}
    return render(request, "scoring/_resource.html", context)


@require_POST
def scope(request: HttpRequest, key: str) -> HttpResponse:
    """Change who may use a resource, and what made it."""
    row = resource_get(user=request.user, key=key)
    refuse_move(row=row, user=request.user)
    try:
        place = place_read(user=request.user, value=request.POST.get("scope", ""))
        resource_move(resource=row, place=place, actor=request.user)
    except (Conflict, Invalid) as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("%(name)s: saved who may use it.") % {"name": row.name})
    return redirect("resources")


def _shown(row: ResourceRow) -> dict[str, object]:
    """A row with its texts: the label of its kind, its counts, and the lines of a refusal."""
    meta = row.resource.meta
    return {
        "row": row,
        "value": scope_value(row.resource.place),
        "kind": KINDS[row.resource.kind][0]
        if row.resource.kind in KINDS
        else MADE.get(row.resource.kind, row.resource.kind),
        "holds": [
            (number, COUNTED.get(name, name))
            for name, number in meta.items()
            if number or name not in REMARKS
        ],
        "problems": translated(row.resource.sentence).splitlines(),
    }


@require_POST
def remove(request: HttpRequest, key: str) -> HttpResponse:
    """Remove a resource that no active run uses; one that is being checked is cancelled so."""
    row = resource_get(user=request.user, key=key, remove=True)
    resource_remove(resource=row, actor=request.user)
    checked = row.status == row.Status.CHECKING
    message = _("%(name)s was cancelled.") if checked else _("%(name)s was removed.")
    messages.success(request, message % {"name": row.name})
    return redirect("resources")
