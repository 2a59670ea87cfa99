"""Import in two steps: check the file and show the result, then import it on confirmation."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypedDict
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from annotation.errors import Invalid
from annotation.forms.campaigns import UploadForm
from annotation.forms.uploads import check_room
from annotation.models import Campaign, ImportJob
from annotation.selectors.access import Rights, campaign_get
from annotation.selectors.campaigns.imports import ended_report, import_job_get, import_jobs
from annotation.services.importing import (
    ImportReport,
    gold_import,
    items_import,
    judgments_import,
)
from annotation.services.importing.jobs import goes_to_worker, import_confirm, import_order
from annotation.views.pages import campaign_page

KEPT_FOR = 24 * 3600
SHOWN = 200
COUNTED = {
    "phrases": gettext_lazy("phrases"),
    "items": gettext_lazy("items"),
    "outside_ids": gettext_lazy("outside ids"),
    "languages": gettext_lazy("languages of known items"),
    "references": gettext_lazy("references"),
    "substitutions": gettext_lazy("substitutions"),
    "systems": gettext_lazy("systems"),
    "outputs": gettext_lazy("outputs"),
    "attributes": gettext_lazy("attributes"),
    "judgments": gettext_lazy("judgments"),
    "annotators": gettext_lazy("annotators"),
    "slots": gettext_lazy("slots"),
    "gold": gettext_lazy("gold"),
    "scores": gettext_lazy("scores"),
    "system_scores": gettext_lazy("scores of systems"),
}


@require_http_methods(["GET", "POST"])
def import_page(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    kept = request.POST.get("kept", "")
    if kept:
        return _confirmed(request, campaign, rights, kept)
    form = UploadForm(request.POST or None, request.FILES or None)
    check_room(request)
    report, name, file_name = None, "", ""
    if request.method == "POST" and form.is_valid():
        options = {key: form.cleaned_data[key] for key in form.cleaned_data if key != "file"}
        options["name"] = file_name = form.cleaned_data["file"].name
        job = _large(campaign, form.cleaned_data["file"], options, request.user)
        if job is not None:
            return redirect("import-job", campaign.slug, job.key)
        name = _keep(request, campaign, form.cleaned_data["file"], options)
        report = _run(campaign, name, options, request.user, dry_run=True)
        if not report.ok:
            _forget(name)
    return _page(request, campaign, rights, form, report=report, kept=name, file_name=file_name)


def _large(
    campaign: Campaign, file: UploadedFile, options: Mapping[str, Any], actor: Any
) -> ImportJob | None:
    """Queue the check of a large file; None for a file that is checked at once."""
    format = options["format"] or None
    if not goes_to_worker(stream=file.file, name=options["name"], format=format):  # type: ignore[arg-type]
        return None
    return import_order(
        campaign=campaign, what=options["what"], stream=file.file, name=options["name"],  # type: ignore[arg-type]
        actor=actor, dry_run=True, to_confirm=True, format=format, **_own(options),
    )  # fmt: skip


@require_http_methods(["GET", "POST"])
def import_job(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """A large file: how far its check or import is, and the result. POST imports what was
    checked."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    job = import_job_get(campaign=campaign, key=key)
    if request.method == "POST":
        job = import_confirm(job=job, actor=request.user)
        return redirect("import-job", campaign.slug, job.key)
    report = ended_report(job)
    problems: list[Any] = report["problems"] if report else []
    counts: dict[str, int] = report["counts"] if report else {}
    return campaign_page(
        request, "annotation/import_job.html", campaign=campaign, rights=rights, job=job,
        report=report, problems=problems[:SHOWN], more=max(0, len(problems) - SHOWN),
        counts=[(str(COUNTED[key]), n) for key, n in counts.items() if key in COUNTED],
        anything=any(counts.values()), new=added(counts), file_name=job.file_name,
        kept=job.key if job.to_confirm and job.path else "",
    )  # fmt: skip


def _page(
    request: HttpRequest,
    campaign: Campaign,
    rights: Rights,
    form: UploadForm,
    *,
    report: ImportReport | None = None,
    kept: str = "",
    file_name: str = "",
) -> HttpResponse:
    problems = report.problems if report else ()
    refused = (report is not None and not report.ok) or bool(form.errors)
    return campaign_page(
        request, "annotation/import.html", campaign=campaign, rights=rights, form=form,
        report=report, kept=kept, file_name=file_name, problems=problems[:SHOWN],
        more=max(0, len(problems) - SHOWN), counts=counted(report),
        anything=bool(report and any(report.counts.values())),
        jobs=import_jobs(campaign=campaign),
        batches=[
            (batch, added(batch.counts))
            for batch in campaign.batches.select_related("created_by")[:20]
        ],
        status=422 if refused else 200,
    )  # fmt: skip


def counted(report: ImportReport | None) -> list[tuple[str, int]]:
    """What a report counts, with labels; nothing without one."""
    return [(str(COUNTED[key]), n) for key, n in report.counts.items()] if report else []


def added(counts: Mapping[str, int]) -> str:
    """Return what an import added; for one that was interrupted, what stands of it."""
    parts = [(COUNTED[key], n) for key, n in counts.items() if n and key in COUNTED]
    return ", ".join(_("%(n)d %(what)s") % {"n": n, "what": what} for what, n in parts)


def _confirmed(request: HttpRequest, campaign: Campaign, rights: Rights, name: str) -> HttpResponse:
    options = _options(request, campaign, name)
    report = _run(campaign, name, options, request.user, dry_run=False)
    _forget(name)
    if not report.ok:
        # The campaign has changed since the file was checked.
        return _page(
            request, campaign, rights, UploadForm(), report=report, file_name=options["name"]
        )
    new = added(report.counts)
    messages.success(request, _("Imported: %(new)s.") % {"new": new or _("nothing new")})
    return redirect("import", campaign.slug)


def _folder() -> Path:
    folder = Path(settings.DATA_DIR) / "tmp" / "imports"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _paths(name: str) -> tuple[Path, Path]:
    """Return the paths of the kept file and its options. We chose the name: 32 hexadecimal
    digits.
    """
    if re.fullmatch(r"[0-9a-f]{32}", name) is None:
        raise Invalid(_("There is no such file: choose it again."))
    return _folder() / f"{name}.data", _folder() / f"{name}.json"


def _keep(
    request: HttpRequest, campaign: Campaign, file: UploadedFile, options: Mapping[str, Any]
) -> str:
    """Keep the file until it is confirmed, for this user and campaign only."""
    _forget_old()
    name = uuid4().hex
    data, about = _paths(name)
    with data.open("wb") as out:
        for chunk in file.chunks():
            out.write(chunk)
    owner = {"user": request.user.pk, "campaign": campaign.pk}
    about.write_text(json.dumps({**options, **owner}), encoding="utf-8")
    return name


def _forget(name: str) -> None:
    for path in _paths(name):
        path.unlink(missing_ok=True)


def _forget_old() -> None:
    """Delete old files; another process may do the same concurrently."""
    for old in _folder().iterdir():
        with suppress(FileNotFoundError):
            if old.stat().st_mtime < time.time() - KEPT_FOR:
                old.unlink()


def _options(request: HttpRequest, campaign: Campaign, name: str) -> Mapping[str, Any]:
    about = _paths(name)[1]
    options = json.loads(about.read_text(encoding="utf-8")) if about.exists() else {}
    if (options.get("user"), options.get("campaign")) != (request.user.pk, campaign.pk):
        raise Invalid(_("The checked file is no longer there: choose it again."))
    return dict(options)


class ImportOptions(TypedDict):
    """What all imports take."""

    campaign: Campaign
    name: str
    format: str | None
    actor: Any
    dry_run: bool


def _run(
    campaign: Campaign, name: str, options: Mapping[str, Any], actor: Any, *, dry_run: bool
) -> ImportReport:
    common: ImportOptions = {
        "campaign": campaign, "name": options["name"], "format": options["format"] or None,
        "actor": actor, "dry_run": dry_run,
    }  # fmt: skip
    with _paths(name)[0].open("rb") as stream:
        if options["what"] == "items":
            return items_import(stream=stream, **common)
        if options["what"] == "gold":
            return gold_import(stream=stream, **_own(options), **common)
        return judgments_import(stream=stream, **_own(options), **common)


def _own(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what only one kind of import takes."""
    if options["what"] == "items":
        return {}
    if options["what"] == "gold":
        return {"source": options["source"]}
    return {
        "annotator": options["annotator"] or None,
        "repeats": "number" if options["repeats"] else "error",
        "fill_slots": options["fill_slots"],
        # A file that was checked before the update to this version has no such option.
        "anonymous": options.get("anonymous", False),
    }
