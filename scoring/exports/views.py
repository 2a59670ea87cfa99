"""Exports as downloads."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any, Unpack
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.errors import NotFound
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.models import Campaign
from scoring.exports.provenance import (
    KIND_LABELS,
    LABELS,
    MOST_ANSWER,
    ReviewerQuestion,
    reviewer_questions,
    reviewer_save,
)
from scoring.exports.rows import export_files as export_files_of
from scoring.exports.rows import export_get
from scoring.exports.services import (
    FORMATS,
    ExportOptions,
    export_check,
    export_now,
    export_order,
    is_large,
)
from scoring.gold.report import asked_method, method_choices
from scoring.models import ExportFile

KINDS = [
    (
        "items",
        gettext_lazy("Items"),
        gettext_lazy("sentences, paraphrases, systems, references, attributes"),
    ),
    (
        "judgments",
        gettext_lazy("Judgments"),
        gettext_lazy("every answer with annotator, status and times"),
    ),
    ("history", gettext_lazy("History"), gettext_lazy("every version of every answer")),
    (
        "annotators",
        gettext_lazy("Annotators"),
        gettext_lazy("codes with consent, withdrawal and background answers"),
    ),
    (
        "gold",
        gettext_lazy("Gold standard"),
        gettext_lazy("value, number, deviation, interval and confidence per text and scale"),
    ),
    (
        "table",
        gettext_lazy("Table"),
        gettext_lazy("a row per text: its systems, its gold, its score by each metric"),
    ),
    ("matrix", gettext_lazy("Matrix"), gettext_lazy("one scale, a column per annotator")),
    (
        "ccb",
        gettext_lazy("Evaluation file"),
        gettext_lazy("the format of Callison-Burch’s guide, blank or judged"),
    ),
    (
        "paper",
        gettext_lazy("For a paper"),
        gettext_lazy(
            "a zip: tables (CSV, LaTeX, JSON), figures, a methods paragraph, a datasheet after "
            "HEDS 3.0, how to cite, the ratings, gold, and the folder of mt-metrics-eval"
        ),
    ),
]


@require_GET
@campaign_view("read")
def exports(page: CampaignPage) -> HttpResponse:
    return page.render(
        "scoring/exports.html",
        formats=FORMATS,
        kinds=KINDS,
        methods=method_choices(),
        scales=page.campaign.scales.all(),
        annotators=page.campaign.annotators.all(),
        **_files(page.campaign),
    )


@require_POST
@campaign_view("read")
def export_new(page: CampaignPage) -> HttpResponseBase:
    """Stream a small export at once; queue a large one for a worker."""
    what = page.post.get("what", "")
    chosen: dict[str, Any] = {
        "what": what,
        "scale": page.post.get("scale") or None,
        "annotator": (page.post.get("annotator") or None) if what == "ccb" else None,
        "method": asked_method(page.post) if what == "gold" else None,
    }
    format, scale = export_check(
        campaign=page.campaign, format=page.post.get("format", "csv"), **chosen
    )
    chosen["scale"] = scale
    if is_large(campaign=page.campaign, what=what, format=format, method=chosen["method"]):
        export_order(campaign=page.campaign, actor=page.user, format=format, **chosen)
        return page.done(_("The file is being made; it appears below."), "exports")
    return small_file(campaign=page.campaign, format=format, **chosen)


@require_GET
@campaign_view("read")
def export_file(page: CampaignPage, key: UUID) -> HttpResponseBase:
    """Download a file made by a worker."""
    file = export_get(campaign=page.campaign, key=key, finished=True)
    return finished_file(campaign=page.campaign, file=file)


@require_GET
@campaign_view("read")
def export_files(page: CampaignPage) -> HttpResponse:
    """The list of files as a fragment, polled while one is being made."""
    return render(
        page.request, "scoring/_files.html", {"campaign": page.campaign, **_files(page.campaign)}
    )


def _files(campaign: Campaign) -> dict[str, Any]:
    files = list(export_files_of(campaign=campaign)[:30])
    active = any(file.status in ("queued", "running") for file in files)
    return {"files": files, "active": active, "days": settings.EXPORT_DAYS}


class ReviewerForm(forms.Form):
    """A field for each question that is asked of the campaign."""

    def __init__(self, *args: Any, questions: Sequence[ReviewerQuestion], **options: Any) -> None:
        super().__init__(*args, **options)
        for one in questions:
            self.fields[one.key] = _field(one)


def _field(one: ReviewerQuestion) -> forms.Field:
    hint = _("Known here: %(known)s.") % {"known": "; ".join(one.facts)} if one.facts else ""
    more: dict[str, Any] = {
        "label": one.label,
        "help_text": f"{one.help} {hint}".strip(),
        "required": False,
        "initial": one.answer,
    }
    if one.key == "kind":
        choices = [("", _("not reported")), *((key, str(to)) for key, to in KIND_LABELS.items())]
        return forms.ChoiceField(choices=choices, **more)
    rows = forms.Textarea(attrs={"rows": 3})
    return forms.CharField(max_length=MOST_ANSWER, widget=rows, **more)


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def reviewer(page: CampaignPage) -> HttpResponse:
    """What a reviewer will ask and the campaign does not know: asked once, for all files."""
    questions = reviewer_questions(campaign=page.campaign)
    form = ReviewerForm(page.posted, questions=questions)
    if page.sent and form.is_valid():
        answers = {key: form.cleaned_data[key] for key in form.fields if key in LABELS}
        reviewer_save(campaign=page.campaign, actor=page.user, answers=answers)
        return page.done(_("Saved."), "reviewer")
    return page.render(
        "scoring/reviewer.html",
        form=form,
        still_open=[one for one in questions if one.open],
    )


TYPES = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "jsonl": "application/jsonl",
    "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}


def small_file(
    *, campaign: Campaign, what: str, format: str, **options: Unpack[ExportOptions]
) -> FileResponse:
    """A small export, made now; the arguments must have been checked (see `export_check`)."""
    method = options.get("method")
    by = "" if method in (None, "mean") else f"-{method}"
    return FileResponse(
        export_now(campaign=campaign, what=what, format=format, **options),
        as_attachment=True,
        filename=f"{campaign.slug}-{what}{by}.{format}",
        content_type=TYPES[format] + ("" if format in ("zip", "xlsx") else "; charset=utf-8"),
    )


def finished_file(*, campaign: Campaign, file: ExportFile) -> FileResponse:
    """A file made by a worker, with its SHA-256. Raises NotFound if it was removed."""
    try:
        if file.removed_at is not None:
            raise FileNotFoundError
        stream = file.stored.open("rb")
    except FileNotFoundError as error:
        raise NotFound(_("The file is no longer in the data folder: export it again.")) from error
    return FileResponse(
        stream,
        as_attachment=True,
        filename=f"{campaign.slug}-{file.what}.{file.format}",
        headers={"Repr-Digest": f"sha-256=:{b64encode(bytes.fromhex(file.sha256)).decode()}:"},
    )
