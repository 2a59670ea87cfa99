"""Resources, the files that metrics need: what a row says, who may use it, and its removal; models
of neural metrics, those that are there and bringing others.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST
from filelock import FileLock, Timeout

from annotation.access import (
    User,
    administrator,
    place_read,
    refuse_move,
    scope_choices,
    scope_value,
)
from annotation.database import audit, short_write
from annotation.errors import Conflict, Invalid, NotFound
from paraanno.common.on_disk import put_in_place
from paraanno.common.places import own_environment, own_program
from paraanno.common.texts import message_of
from paraanno.template_filters import translated
from scoring.metrics.resources.model_packages import get_model
from scoring.metrics.resources.neural_models import (
    FILES,
    NEURAL_MODELS,
    WEIGHTS,
    KnownModel,
    Tensors,
    digests,
    is_complete,
    is_name,
    model_names,
    models_folder,
)
from scoring.resources.queries import ResourceRow, resource_get, resource_row
from scoring.resources.services import resource_move, resource_remove

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


# What is made here only, and not uploaded.
MADE = {
    "test_set": gettext_lazy("Test set"),
    "extrinsic": gettext_lazy("Extrinsic evaluation"),
    "regressor": gettext_lazy("Regressor"),
    "parametric": gettext_lazy("Rating of a paraphrase table"),
}


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


@require_GET
def resource(request: HttpRequest, key: str) -> HttpResponse:
    """One row of the list as a fragment, polled while its file is being checked."""
    row = resource_row(resource=resource_get(user=request.user, key=key), user=request.user)
    context = {"shown": resource_shown(row), "scopes": scope_choices(user=request.user)}
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


def resource_shown(row: ResourceRow) -> dict[str, object]:
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


# Models of neural metrics.


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model that is there, or one that can be brought. `state` is `here`, `packed` (its package
    is installed and is unpacked when it is needed), `coming` or empty; `problem` is why it did not
    come."""

    name: str
    package: KnownModel | None
    state: str
    hashes: Mapping[str, str]
    problem: str = ""


def model_rows() -> list[ModelRow]:
    """The models of the table in docs/metrics.md, then others that are there."""
    rows = [_row(model) for model in NEURAL_MODELS]
    others = set(model_names()) - {model.name for model in NEURAL_MODELS}
    return rows + [
        ModelRow(name, None, "here", digests(folder))
        for name in sorted(others)
        if is_complete(folder := models_folder() / name)  # Not one that is being brought.
    ]


def _row(model: KnownModel) -> ModelRow:
    folder = models_folder() / model.name
    if is_complete(folder):
        return ModelRow(model.name, model, "here", digests(folder))
    if model.installed:
        return ModelRow(model.name, model, "packed", dict(model.hashes))
    state = "coming" if _is_coming(model) else ""
    return ModelRow(model.name, model, state, {}, "" if state else _last_line(model))


def _log(model: KnownModel) -> Path:
    return models_folder() / f".{model.word}.log"


def _is_coming(model: KnownModel) -> bool:
    """Whether a process is at it: get_model holds this lock."""
    lock = models_folder() / f".{model.word}.lock"
    if not lock.exists():
        return False
    try:
        with FileLock(lock).acquire(blocking=False):
            return False
    except Timeout:
        return True


def _last_line(model: KnownModel) -> str:
    try:
        lines = _log(model).read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1] if lines else ""


def model_ask(*, word: str, actor: User) -> KnownModel:
    """Have a process of its own bring a known model from the package index.

    Raises NotFound, and Conflict if it is there or on its way.
    """
    account = administrator(user=actor)
    model = next((one for one in NEURAL_MODELS if one.word == word), None)
    if model is None:
        raise NotFound(_("There is no such model."))
    if is_complete(models_folder() / model.name) or _is_coming(model):
        raise Conflict(_("%(name)s is there, or on its way.") % {"name": model.name})
    with short_write():
        audit(actor=account, verb="get model", about=account, campaign=None, model=model.name)
    if model.installed:
        get_model(model)
        return model
    models_folder().mkdir(parents=True, exist_ok=True)
    environment = {**own_environment(), "DJANGO_SETTINGS_MODULE": "paraanno.settings"}
    with _log(model).open("wb") as log:
        subprocess.Popen(  # noqa: S603 our own program
            own_program("django", "models", "get", model.word),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment,
            cwd=os.fspath(settings.BASE_DIR),
            start_new_session=True,
        )
    return model


def model_add(*, name: str, files: Mapping[str, UploadedFile], actor: User) -> str:
    """Put the three files of a model into a folder of this name.

    Raises NotFound, Invalid for files that are not those of a model, and Conflict for a name that
    is taken.
    """
    account = administrator(user=actor)
    if not is_name(name):
        raise Invalid(_("A name has letters, digits, dots, hyphens and underscores."))
    missing = [one for one in FILES if one not in files]
    if missing:
        raise Invalid(_("These files are missing: %(names)s.") % {"names": ", ".join(missing)})
    most = settings.RESOURCE_MAX_BYTES
    if sum(file.size or 0 for file in files.values()) > most:
        raise Invalid(_("This file is larger than %(most)s MB.") % {"most": most // 2**20})
    models = models_folder()
    models.mkdir(parents=True, exist_ok=True)
    if (models / name).exists():
        raise Conflict(_("There is a model %(name)s already.") % {"name": name})
    with tempfile.TemporaryDirectory(prefix=".add-", dir=models) as place:
        draft = Path(place, name)
        draft.mkdir()
        for one in FILES:
            with (draft / one).open("wb") as target:
                target.writelines(files[one].chunks())
        _check(draft)
        put_in_place(draft, models / name)
    with short_write():
        audit(actor=account, verb="add model", about=account, campaign=None, model=name)
    return name


def _check(folder: Path) -> None:
    """Raise Invalid for files that are plainly not those of a model; nothing of them is run."""
    for name in FILES:
        try:
            if name == WEIGHTS:
                Tensors(folder / name)
            elif not isinstance(json.loads((folder / name).read_bytes()), dict):
                raise ValueError(_("it is no object of JSON"))
        except ValueError as error:
            raise Invalid(
                _("%(file)s cannot be read: %(why)s.")
                % {"file": name, "why": translated(message_of(error))}
            ) from error


@require_POST
def get(request: HttpRequest, word: str) -> HttpResponse:
    """The button that brings a known model."""
    try:
        model = model_ask(word=word, actor=request.user)
    except Conflict as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(
            request,
            _("%(name)s is being fetched: look at this page again in a minute.")
            % {"name": model.name},
        )
    return redirect("resources")


@require_POST
def add(request: HttpRequest) -> HttpResponse:
    """The form that takes a folder of three files."""
    administrator(user=request.user)  # Before any byte of a file is read.
    files = {file.name or "": file for file in request.FILES.getlist("files")}
    try:
        name = model_add(name=request.POST.get("name", "").strip(), files=files, actor=request.user)
    except (Conflict, Invalid) as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("The model %(name)s can be used.") % {"name": name})
    return redirect("resources")
