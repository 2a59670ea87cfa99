"""Imports of files into a campaign."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.campaign_route import CampaignRoute
from annotation.api.serializers import ImportBatchOut
from annotation.errors import Invalid
from annotation.forms.uploads import check_room
from annotation.models import ImportJob
from annotation.selectors.access import known
from annotation.selectors.campaigns.imports import ended_report, import_job_get
from annotation.services.importing import ImportReport
from annotation.services.importing.jobs import AT_ONCE, goes_to_worker, import_order


class ImportFileIn(serializers.Serializer[Any]):
    file = serializers.FileField(allow_empty_file=True)
    format = serializers.ChoiceField(
        ["csv", "tsv", "jsonl", "ccb"], required=False, help_text="Default: by the file's name."
    )
    dry_run = serializers.BooleanField(default=False, help_text="Check, and change nothing.")
    raw = serializers.BooleanField(
        default=False, help_text="Text cells carry no apostrophe against spreadsheet formulas."
    )


class JudgmentFileIn(ImportFileIn):
    annotator = serializers.CharField(
        required=False,
        max_length=60,
        help_text="Code, where the file names no annotator; with anonymous, a name of the voices.",
    )
    anonymous = serializers.BooleanField(
        default=False,
        help_text="Nobody knows who judged: each line without a code is a voice of its own, "
        "without identity.",
    )
    repeats = serializers.ChoiceField(
        ["number"], required=False, help_text="number: a key met again is the next occasion."
    )
    fill_slots = serializers.BooleanField(
        default=False, help_text="The judgments take places of their sheets."
    )


class GoldFileIn(ImportFileIn):
    source = serializers.CharField(  # type: ignore[assignment]
        required=False, max_length=200, help_text="Where it comes from; default: the file's name."
    )


class ProblemOut(serializers.Serializer[Any]):
    file = serializers.CharField()
    line = serializers.IntegerField()
    column = serializers.CharField(allow_null=True)
    severity = serializers.ChoiceField(["error", "warning"])
    message = serializers.CharField()


class ImportReportOut(serializers.Serializer[Any]):
    """The result; `counts` are the new rows (in a dry run, those that would be new)."""

    ok = serializers.BooleanField()
    dry_run = serializers.BooleanField()
    rows = serializers.IntegerField()
    counts = serializers.DictField(child=serializers.IntegerField())
    problems = ProblemOut(many=True)
    batch = serializers.UUIDField(source="batch.key", default=None, allow_null=True)


class JobReportOut(ImportReportOut):
    """`runs`: the keys of the runs that a file of scores became."""

    runs = serializers.ListField(child=serializers.UUIDField(), required=False)


class ImportJobOut(serializers.ModelSerializer[ImportJob]):
    """A large file that a worker imports. `done` and `total` count its rows; `report` is null until
    the job has ended, and is then what a small file is answered with."""

    report = serializers.SerializerMethodField()

    class Meta:
        model = ImportJob
        fields = [
            "key", "what", "file_name", "dry_run", "status", "done", "total", "report", "error",
            "created_at", "started_at", "finished_at",
        ]  # fmt: skip

    @extend_schema_field(JobReportOut(allow_null=True))
    def get_report(self, job: ImportJob) -> dict[str, Any] | None:
        return ended_report(job)


ANSWERS = {
    200: ImportReportOut,
    201: ImportReportOut,
    202: ImportJobOut,
    422: ImportReportOut,
}


class FileRoute(CampaignRoute):
    """A route that accepts a file."""

    read_right = "research"
    parser_classes = [MultiPartParser]

    def taken(self, form: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """Return the arguments that the services of all three kinds share."""
        self.request.data  # noqa: B018 read, so that a full disk is not told as a missing file
        check_room(self.request._request)
        data = self.checked(form)
        file = data.pop("file")
        if file.size > settings.UPLOAD_MAX_BYTES:
            raise Invalid(
                _("A file has at most %(most)s MB.") % {"most": settings.UPLOAD_MAX_BYTES // 2**20}
            )
        return {
            "campaign": self.campaign,
            "stream": file.file,
            "name": file.name,
            "actor": known(self.request.user),
            **{name: value for name, value in data.items() if value != ""},
        }

    def imported(self, what: str, form: type[serializers.Serializer[Any]]) -> Response:
        """Import the file, or queue it for a worker if it is large."""
        data = self.taken(form)
        return self.queued(what, data) or self.told(AT_ONCE[what](**data))

    def queued(self, what: str, data: dict[str, Any]) -> Response | None:
        """Queue a large file and answer 202; None for one that is imported at once."""
        about = {"stream": data["stream"], "name": data["name"], "format": data.get("format")}
        if not goes_to_worker(**about):
            return None
        job = import_order(what=what, **data)
        return Response(ImportJobOut(job).data, status=status.HTTP_202_ACCEPTED)

    def told(self, report: ImportReport) -> Response:
        """Respond 201 if something was written, 200 for a dry run or nothing new, 422 for
        errors.
        """
        code: int = status.HTTP_200_OK if report.batch is None else status.HTTP_201_CREATED
        if not report.ok:
            code = status.HTTP_422_UNPROCESSABLE_ENTITY
        return Response(ImportReportOut(report).data, status=code)


@extend_schema(tags=["imports"], request={"multipart/form-data": ImportFileIn})
class ImportItemsRoute(FileRoute):
    """Import items, substitutions and systems; importing a file again changes nothing."""

    @extend_schema(responses=ANSWERS)
    def post(self, request: Request, slug: str) -> Response:
        return self.imported("items", ImportFileIn)


@extend_schema(tags=["imports"], request={"multipart/form-data": JudgmentFileIn})
class ImportJudgmentsRoute(FileRoute):
    """Import judgments made elsewhere; their items must already exist."""

    @extend_schema(responses=ANSWERS)
    def post(self, request: Request, slug: str) -> Response:
        return self.imported("judgments", JudgmentFileIn)


@extend_schema(tags=["imports"], request={"multipart/form-data": GoldFileIn})
class ImportGoldRoute(FileRoute):
    """Import gold values made elsewhere; their items must already exist."""

    @extend_schema(responses=ANSWERS)
    def post(self, request: Request, slug: str) -> Response:
        return self.imported("gold", GoldFileIn)


@extend_schema(tags=["imports"])
class ImportsRoute(CampaignRoute):
    """The imported files, newest first."""

    serializer_class = ImportBatchOut

    @extend_schema(responses=ImportBatchOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(self.campaign.batches.all())
        return self.get_paginated_response(ImportBatchOut(page, many=True).data)


@extend_schema(tags=["imports"])
class OneImportRoute(CampaignRoute):
    """A large file that a worker imports: how far it is, and its report in the end."""

    read_right = "research"

    @extend_schema(responses=ImportJobOut)
    def get(self, request: Request, slug: str, key: UUID) -> Response:
        return Response(ImportJobOut(import_job_get(campaign=self.campaign, key=key)).data)
