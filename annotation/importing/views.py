"""Import in two steps: check the file and show the result, then import it on confirmation."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypedDict
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from annotation.access import logged_in
from annotation.errors import Invalid
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.http.pages import check_room
from annotation.importing.forms import UploadForm
from annotation.importing.gold import gold_import
from annotation.importing.items import items_import
from annotation.importing.jobs import (
    BESIDE,
    ended_report,
    goes_to_worker,
    import_confirm,
    import_job_get,
    import_jobs,
    import_order,
    mappings,
    scales_of,
)
from annotation.importing.judgments_write import judgments_import
from annotation.importing.report import ImportReport
from annotation.importing.tables import (
    is_sure,
    judgments_beside,
    mapping_keep,
    needs_mapping,
    of_unknown_people,
)
from annotation.models import Campaign, ImportJob
from annotation.starters import example_choices
from paraanno.common.on_disk import put_in_place

# Files that were uploaded and wait until their import is confirmed.


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


def kept_options(page: CampaignPage, name: str) -> Mapping[str, Any]:
    about = kept_paths(name)[1]
    options = json.loads(about.read_text(encoding="utf-8")) if about.exists() else {}
    if (options.get("user"), options.get("campaign")) != (page.user.pk, page.campaign.pk):
        raise Invalid(_("The checked file is no longer there: choose it again."))
    return dict(options)


def change_options(name: str, options: Mapping[str, Any]) -> None:
    """Store other options of a kept file, whose owner stays; a reader sees the old ones or the new
    ones."""
    about = kept_paths(name)[1]
    old = json.loads(about.read_text(encoding="utf-8"))
    owner = {key: old[key] for key in ("user", "campaign")}
    new = about.with_suffix(".new")
    new.write_text(json.dumps({**options, **owner}), encoding="utf-8")
    put_in_place(new, about)


SHOWN = 200
COUNTED = {
    "phrases": gettext_lazy("phrases"),
    "items": gettext_lazy("items"),
    "outside_ids": gettext_lazy("ids of your file"),
    "languages": gettext_lazy("languages of known items"),
    "references": gettext_lazy("references"),
    "substitutions": gettext_lazy("different texts"),
    "systems": gettext_lazy("systems"),
    "outputs": gettext_lazy("texts of systems"),
    "attributes": gettext_lazy("attributes"),
    "judgments": gettext_lazy("judgments"),
    "annotators": gettext_lazy("annotators"),
    "slots": gettext_lazy("slots"),
    "gold": gettext_lazy("gold"),
    "scores": gettext_lazy("scores"),
    "system_scores": gettext_lazy("scores of systems"),
}


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def import_page(page: CampaignPage) -> HttpResponse:
    stored_name = page.post.get("kept", "")
    if stored_name:
        return _confirmed(page, stored_name)
    form = UploadForm(page.posted, page.request.FILES or None)
    check_room(page.request)
    report, name, file_name = None, "", ""
    if page.sent and form.is_valid():
        options = {key: form.cleaned_data[key] for key in form.cleaned_data if key != "file"}
        options["name"] = file_name = form.cleaned_data["file"].name
        if needs_mapping(
            form.cleaned_data["file"].file, file_name, options["format"], scales_of(page.campaign)
        ):
            name = keep(page.request, page.campaign, form.cleaned_data["file"], options)
            return page.go("import-columns", name)
        job = _large(page.campaign, form.cleaned_data["file"], options, page.user)
        if job is not None:
            return page.go("import-job", job.key)
        name = keep(page.request, page.campaign, form.cleaned_data["file"], options)
        report = run_import(page.campaign, name, options, page.user, dry_run=True)
        if not report.ok:
            forget(name)
    return _page(page, form, report=report, stored_name=name, file_name=file_name)


def _large(
    campaign: Campaign, file: UploadedFile, options: Mapping[str, Any], actor: Any
) -> ImportJob | None:
    """Queue the check of a large file; None for a file that is checked at once."""
    format = options["format"] or None
    if not goes_to_worker(stream=file.file, name=options["name"], format=format):  # type: ignore[arg-type]
        return None
    return import_order(
        campaign=campaign,
        what=options["what"],
        stream=file.file,  # type: ignore[arg-type]
        name=options["name"],
        actor=actor,
        dry_run=True,
        to_confirm=True,
        format=format,
        **own_options(options),
    )


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def import_job(page: CampaignPage, key: UUID) -> HttpResponse:
    """A large file: how far its check or import is, and the result. POST imports what was
    checked."""
    job = import_job_get(campaign=page.campaign, key=key)
    if page.sent:
        job = import_confirm(job=job, actor=page.user, judged="also" in page.post)
        return page.go("import-job", job.key)
    report = ended_report(job)
    problems: list[Any] = report["problems"] if report else []
    counts: dict[str, int] = report["counts"] if report else {}
    beside = job.options.get(BESIDE, {})
    later = beside.get("name", "")
    return page.render(
        "annotation/import_job.html",
        job=job,
        report=report,
        problems=problems[:SHOWN],
        more=max(0, len(problems) - SHOWN),
        changes=shown_changes(report.get("changes", [])) if report else [],
        counts=[(str(COUNTED[key]), n) for key, n in counts.items() if key in COUNTED],
        anything=any(counts.values()),
        new=added(counts),
        file_name=job.file_name,
        kept=job.key if job.to_confirm and job.path else "",
        beside=beside.get("people", "") if beside.get("sure") else None,
        after=report.get("after", "") if report else "",
        later=later if later and kept_paths(later)[0].exists() else "",
    )


def _page(
    page: CampaignPage,
    form: UploadForm,
    *,
    report: ImportReport | None = None,
    stored_name: str = "",
    file_name: str = "",
) -> HttpResponse:
    problems = report.problems if report else ()
    refused = (report is not None and not report.ok) or bool(form.errors)
    return page.render(
        "annotation/import.html",
        form=form,
        report=report,
        kept=stored_name,
        file_name=file_name,
        done=page.query.get("done") == "1",
        problems=problems[:SHOWN],
        more=max(0, len(problems) - SHOWN),
        counts=counted(report),
        anything=bool(report and any(report.counts.values())),
        jobs=import_jobs(campaign=page.campaign),
        mappings=mappings(campaign=page.campaign)[:20],
        examples=example_choices(),
        changes=shown_changes(report.changes) if report else [],
        batches=[
            (batch, added(batch.counts))
            for batch in page.campaign.batches.select_related("created_by")[:20]
        ],
        status=422 if refused else 200,
    )


def report_page(
    page: CampaignPage,
    *,
    file_name: str,
    report: ImportReport | None = None,
    problem: Mapping[str, Any] | None = None,
    stored_name: str = "",
    columns: str = "",
    beside: str | None = None,
) -> HttpResponse:
    """The result of a check, or the one problem of a file that is no table. `columns` is the kept
    file whose mapping can be changed, `beside` the annotators whose judgments can be read too."""
    summary: Any = report or {"ok": False, "rows": 0, "counts": {}}
    problems: Sequence[Any] = report.problems if report else [problem]
    return page.render(
        "annotation/import_checked.html",
        report=summary,
        problems=problems[:SHOWN],
        more=max(0, len(problems) - SHOWN),
        counts=counted(report),
        anything=bool(report and any(report.counts.values())),
        kept=stored_name,
        file_name=file_name,
        changes=shown_changes(report.changes) if report else [],
        columns=columns,
        beside=beside,
        status=200 if report and report.ok else 422,
    )


def shown_changes(changes: Sequence[Any]) -> list[Any]:
    """The first changes, as the page shows them."""
    return list(changes[:SHOWN])


def counted(report: ImportReport | None) -> list[tuple[str, int]]:
    """What a report counts, with labels; nothing without one."""
    return [(str(COUNTED[key]), n) for key, n in report.counts.items()] if report else []


def added(counts: Mapping[str, int]) -> str:
    """Return what an import added; for one that was interrupted, what is stored of it."""
    parts = [(COUNTED[key], n) for key, n in counts.items() if n and key in COUNTED]
    return ", ".join(_("%(n)d %(what)s") % {"n": n, "what": what} for what, n in parts)


def _confirmed(page: CampaignPage, name: str) -> HttpResponse:
    options = kept_options(page, name)
    report = run_import(page.campaign, name, options, page.user, dry_run=False)
    if report.batch is not None and options.get("mapping"):
        mapping_keep(
            campaign=page.campaign,
            mapping=options["mapping"],
            file_name=options["name"],
            actor=page.user,
        )
    if not report.ok:
        # The campaign has changed since the file was checked.
        forget(name)
        return _page(page, UploadForm(), report=report, file_name=options["name"])
    new = added(report.counts)
    page.says(_("Imported: %(new)s.") % {"new": new or _("nothing new")})
    # The judgments of the same table: with the texts if they are wanted and nothing asks, else
    # the next step of the same file.
    unwanted = options.get("beside") and "also" not in page.post
    judged = bool(options.get("also")) and not unwanted
    wanted = "also" in page.post
    if judged and not judgments_imported(page.request, page.campaign, name, wanted=wanted):
        return page.go("import-columns", name)
    forget(name)
    if options.get("ready"):  # The file with which the campaign began.
        return page.go("campaign-ready")
    return redirect(reverse("import", args=[page.campaign.slug]) + "?done=1")


def judgments_imported(
    request: HttpRequest, campaign: Campaign, name: str, *, wanted: bool, anonymous: bool = False
) -> bool | None:
    """Import the judgments of a kept file whose texts were imported. False where somebody has to
    look at them first, or has not said that they are `wanted`, with the file made ready for that;
    None where it holds none. `anonymous`: where the file names nobody who judged, they come in
    all the same, and a message says so."""
    actor = logged_in(request.user)
    options = json.loads(kept_paths(name)[1].read_text(encoding="utf-8"))
    with kept_paths(name)[0].open("rb") as stream:
        seen = judgments_beside(campaign=campaign, stream=stream, options=options)
    mapping = None if seen is None else seen.mapping.to_json()
    options |= {"what": "judgments", "also": "", "beside": False, "mapping": mapping}
    if seen is not None and anonymous and of_unknown_people(seen):
        options["anonymous"] = True
        messages.info(request, _("The file does not name who judged: the judgments are anonymous."))
    change_options(name, options)
    if seen is None:
        return None
    if not wanted or not is_sure(seen, options):
        return False
    report = run_import(campaign, name, options, actor, dry_run=False)
    if not report.ok:
        messages.error(
            request, _("The texts are imported, the judgments are not: look at their columns.")
        )
        return False
    if report.batch is not None:
        mapping_keep(
            campaign=campaign,
            mapping=seen.mapping.to_json(),
            file_name=options["name"],
            actor=actor,
        )
    new = added(report.counts)
    messages.success(request, _("Imported: %(new)s.") % {"new": new or _("nothing new")})
    return True


class ImportOptions(TypedDict):
    """What all imports take."""

    campaign: Campaign
    name: str
    format: str | None
    actor: Any
    dry_run: bool
    mapping: Mapping[str, Any] | None


def run_import(
    campaign: Campaign, name: str, options: Mapping[str, Any], actor: Any, *, dry_run: bool
) -> ImportReport:
    """Import, or check, a kept file."""
    common: ImportOptions = {
        "campaign": campaign,
        "name": options["name"],
        "format": options["format"] or None,
        "actor": actor,
        "dry_run": dry_run,
        "mapping": options.get("mapping"),
    }
    with kept_paths(name)[0].open("rb") as stream:
        if options["what"] == "items":
            return items_import(stream=stream, **common)
        if options["what"] == "gold":
            return gold_import(stream=stream, **own_options(options), **common)
        return judgments_import(stream=stream, **own_options(options), **common)


def own_options(options: Mapping[str, Any]) -> dict[str, Any]:
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
