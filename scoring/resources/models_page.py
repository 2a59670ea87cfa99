"""Models of neural metrics on the page *Resources*: what is there, and bringing others."""

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
from django.contrib.auth.models import User as Account
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from filelock import FileLock, Timeout

from annotation.access import User
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
    digests,
    is_complete,
    is_name,
    model_names,
    models_folder,
)
from scoring.metrics.resources.tensors import Tensors
from scoring.resources.queries import names_server_files


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


def administrator(user: User) -> Account:
    """The user; raises NotFound for anybody but administrators of the site."""
    if not names_server_files(user=user) or not isinstance(user, Account):
        raise NotFound(_("There is no such page."))
    return user


def model_ask(*, word: str, actor: User) -> KnownModel:
    """Have a process of its own bring a known model from the package index.

    Raises NotFound, and Conflict if it is there or on its way.
    """
    account = administrator(actor)
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
    account = administrator(actor)
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
    administrator(request.user)  # Before any byte of a file is read.
    files = {file.name or "": file for file in request.FILES.getlist("files")}
    try:
        name = model_add(name=request.POST.get("name", "").strip(), files=files, actor=request.user)
    except (Conflict, Invalid) as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("The model %(name)s can be used.") % {"name": name})
    return redirect("resources")
