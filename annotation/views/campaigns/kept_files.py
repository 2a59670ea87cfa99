"""Files that were uploaded and wait until their import is confirmed."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Campaign
from paraanno.plain.renaming import put_in_place

KEPT_FOR = 24 * 3600


def _folder() -> Path:
    folder = Path(settings.DATA_DIR) / "tmp" / "imports"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def kept_paths(name: str) -> tuple[Path, Path]:
    """Return the paths of the kept file and its options. We chose the name: 32 hexadecimal
    digits.
    """
    if re.fullmatch(r"[0-9a-f]{32}", name) is None:
        raise Invalid(_("There is no such file: choose it again."))
    return _folder() / f"{name}.data", _folder() / f"{name}.json"


def keep(
    request: HttpRequest, campaign: Campaign, file: UploadedFile, options: Mapping[str, Any]
) -> str:
    """Keep the file until it is confirmed, for this user and campaign only."""
    _forget_old()
    name = uuid4().hex
    data, about = kept_paths(name)
    with data.open("wb") as out:
        for chunk in file.chunks():
            out.write(chunk)
    owner = {"user": request.user.pk, "campaign": campaign.pk}
    about.write_text(json.dumps({**options, **owner}), encoding="utf-8")
    return name


def forget(name: str) -> None:
    for path in kept_paths(name):
        path.unlink(missing_ok=True)


def _forget_old() -> None:
    """Delete old files; another process may do the same concurrently."""
    for old in _folder().iterdir():
        with suppress(FileNotFoundError):
            if old.stat().st_mtime < time.time() - KEPT_FOR:
                old.unlink()


def kept_options(request: HttpRequest, campaign: Campaign, name: str) -> Mapping[str, Any]:
    about = kept_paths(name)[1]
    options = json.loads(about.read_text(encoding="utf-8")) if about.exists() else {}
    if (options.get("user"), options.get("campaign")) != (request.user.pk, campaign.pk):
        raise Invalid(_("The checked file is no longer there: choose it again."))
    return dict(options)


def change_options(name: str, options: Mapping[str, Any]) -> None:
    """Store other options of a kept file; a reader sees the old ones or the new ones."""
    about = kept_paths(name)[1]
    new = about.with_suffix(".new")
    new.write_text(json.dumps(options), encoding="utf-8")
    put_in_place(new, about)
