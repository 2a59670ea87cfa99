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

from annotation.access import logged_in
from annotation.errors import Invalid
from annotation.http.pages import check_room
from annotation.http.routes import AtWorkOut, CampaignRoute
from annotation.importers.tables import Inspection, is_book
from annotation.importers.tables.mapping import KINDS
from annotation.importing.jobs import (
    IMPORTERS,
    ended_report,
    goes_to_worker,
    import_batch_get,
    import_job_get,
    import_order,
    table_goes_to_worker,
)
from annotation.importing.report import ImportReport
from annotation.importing.tables import (
    agreed,
    column_map,
    mapping_guess,
    mapping_keep,
    table_inspect,
    table_rows,
)
from annotation.importing.take_back import import_take_back
from annotation.models import ImportBatch, ImportJob

# What the routes of imports take and answer.


class ImportFileIn(serializers.Serializer[Any]):
    file = serializers.FileField(allow_empty_file=True)
    format = serializers.ChoiceField(
        ["csv", "tsv", "jsonl", "ccb", "ppdb"],
        required=False,
        help_text="Default: by the file's name.",
    )
    dry_run = serializers.BooleanField(default=False, help_text="Check, and change nothing.")
    raw = serializers.BooleanField(
        default=False, help_text="Text cells carry no apostrophe against spreadsheet formulas."
    )


class TextsFileIn(ImportFileIn):
    """Items, judgments or gold: a file of ours, or a table of any kind."""

    map = serializers.JSONField(
        required=False,
        binary=True,
        help_text="What the columns of a table are: the `map` of an inspection, changed as needed.",
    )
    sheet = serializers.CharField(
        required=False,
        max_length=200,
        help_text="Of a spreadsheet; default: the best.",
    )
    accept_unsure = serializers.BooleanField(
        default=False, help_text="Read the table as it is guessed, whatever asks."
    )


class JudgmentFileIn(TextsFileIn):
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


class GoldFileIn(TextsFileIn):
    source = serializers.CharField(  # type: ignore[assignment]
        required=False, max_length=200, help_text="Where it comes from; default: the file's name."
    )


class TableFileIn(serializers.Serializer[Any]):
    """A table to look at; nothing is imported or kept."""

    file = serializers.FileField(allow_empty_file=True)
    what = serializers.ChoiceField(KINDS, required=False, help_text="Guessed if it is not given.")
    sheet = serializers.CharField(required=False, max_length=200, help_text="Default: the best.")


class SheetSeenOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    rows = serializers.IntegerField(allow_null=True, help_text="Null: more than were looked at.")


class ColumnSeenOut(serializers.Serializer[Any]):
    column = serializers.CharField(help_text="Letters, as A.")
    name = serializers.CharField()
    filled = serializers.FloatField()
    examples = serializers.ListField(child=serializers.CharField())
    role = serializers.CharField()
    of = serializers.CharField(help_text="The system, scale or annotator of the role, if any.")
    scale = serializers.CharField(help_text="Of an annotator's values, if the column has one.")
    reason = serializers.CharField()
    ask = serializers.BooleanField(help_text="Somebody should look.")


class NotReadOut(serializers.Serializer[Any]):
    column = serializers.CharField(help_text="Or a piece of the file that is no column.")
    reason = serializers.CharField()


class LedgerOut(serializers.Serializer[Any]):
    """What is read of the table, and what is not."""

    originals = serializers.IntegerField(help_text="Different original texts.")
    systems = serializers.ListField(child=serializers.CharField())
    references = serializers.IntegerField(help_text="The most that one original has.")
    annotators = serializers.ListField(child=serializers.CharField())
    not_read = NotReadOut(many=True)
    of_rows = serializers.IntegerField(
        allow_null=True, help_text="Only so many rows were looked at; null: all."
    )


class UnsureOut(serializers.Serializer[Any]):
    """The table waits for somebody to look at what was guessed."""

    code = serializers.CharField()
    detail = serializers.CharField()
    asks = serializers.ListField(child=serializers.CharField())


class InspectionOut(serializers.Serializer[Any]):
    """How a table is written, and what its columns probably are."""

    file = serializers.CharField()
    kind = serializers.CharField()
    tool = serializers.CharField(help_text="That wrote the file, if it is one that is known.")
    encoding = serializers.CharField(allow_null=True)
    delimiter = serializers.CharField(allow_null=True)
    sheets = SheetSeenOut(many=True)
    what = serializers.CharField()
    columns = ColumnSeenOut(many=True)
    missing = serializers.ListField(
        child=serializers.CharField(), help_text="What has to be chosen or answered first."
    )
    ledger = LedgerOut()
    line = serializers.CharField(help_text="The ledger in a line.")
    map = serializers.JSONField()


class TakenBackOut(serializers.Serializer[Any]):
    removed = serializers.DictField(child=serializers.IntegerField())


class NewTextOut(serializers.Serializer[Any]):
    text = serializers.CharField(help_text="Empty: a text that is there already.")
    about = serializers.ListField(child=serializers.CharField())


class ChangeOut(serializers.Serializer[Any]):
    """What one original gets."""

    line = serializers.IntegerField()
    new = serializers.BooleanField()
    before = serializers.CharField()
    phrase = serializers.CharField()
    after = serializers.CharField()
    texts = NewTextOut(many=True)
    references = serializers.ListField(child=serializers.CharField())


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
    changes = ChangeOut(
        many=True, required=False, help_text="Of a dry run: the first texts that change."
    )
    batch = serializers.UUIDField(source="batch.key", default=None, allow_null=True)


class JobReportOut(ImportReportOut):
    """`runs`: the keys of the runs that a file of scores became."""

    runs = serializers.ListField(child=serializers.UUIDField(), required=False)


class ImportBatchOut(serializers.ModelSerializer[ImportBatch]):
    class Meta:
        model = ImportBatch
        fields = [
            "key",
            "what",
            "file_name",
            "sha256",
            "rows",
            "counts",
            "provenance",
            "created_at",
        ]


class ImportJobOut(AtWorkOut, serializers.ModelSerializer[ImportJob]):
    """A large file that a worker imports. `done` and `total` count its rows; `report` is null until
    the job has ended, and is then what a small file is answered with."""

    report = serializers.SerializerMethodField()

    class Meta:
        model = ImportJob
        fields = [
            "key",
            "what",
            "file_name",
            "dry_run",
            "status",
            "done",
            "total",
            "progress",
            "seconds_left",
            "report",
            "error",
            "created_at",
            "started_at",
            "finished_at",
        ]

    @extend_schema_field(JobReportOut(allow_null=True))
    def get_report(self, job: ImportJob) -> dict[str, Any] | None:
        return ended_report(job)


ANSWERS = {
    200: ImportReportOut,
    201: ImportReportOut,
    202: ImportJobOut,
    409: UnsureOut,
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
            "actor": logged_in(self.request.user),
            **{name: value for name, value in data.items() if value != ""},
        }

    def imported(self, what: str, form: type[serializers.Serializer[Any]]) -> Response:
        """Import the file, or queue it for a worker if it is large."""
        data = self.taken(form)
        seen = self.mapped(what, data)
        job = self.queued(what, data, seen)
        if job is not None:
            return job
        report = IMPORTERS[what](**data)
        if report.batch is not None and data.get("mapping"):
            mapping_keep(
                campaign=self.campaign,
                mapping=data["mapping"],
                file_name=data["name"],
                actor=data["actor"],
            )
        return self.report_response(report)

    def mapped(self, what: str, data: dict[str, Any]) -> Inspection | None:
        """Put the mapping that is given or guessed into the data; None for a file without one.
        Raises Unsure while the mapping asks, unless that is accepted."""
        given, sheet = data.pop("map", None), data.pop("sheet", "")
        answers = {
            "accepted": data.pop("accept_unsure", False),
            "named": bool(data.get("annotator") or data.get("anonymous")),
        }
        about = {"stream": data["stream"], "name": data["name"], "campaign": self.campaign}
        if given is not None:
            mapping = column_map(
                {**given, "sheet": sheet or given.get("sheet")}
                if isinstance(given, dict)
                else given
            )
            data["mapping"] = agreed(mapping, **answers)
            return table_inspect(what=what, sheet=mapping.sheet, **about)
        if data.get("format") or not (sheet or is_book(data["name"])):
            return None
        seen = mapping_guess(what=what, sheet=sheet, **about)
        data["mapping"] = agreed(seen.mapping, **answers)
        return seen

    def queued(
        self, what: str, data: dict[str, Any], seen: Inspection | None = None
    ) -> Response | None:
        """Queue a large file and answer 202; None for one that is imported at once."""
        about = {"stream": data["stream"], "name": data["name"], "format": data.get("format")}
        if seen is not None:
            large = table_goes_to_worker(stream=data["stream"], seen=seen)
        else:
            large = goes_to_worker(**about)
        if not large:
            return None
        job = import_order(what=what, total=None if seen is None else table_rows(seen), **data)
        return Response(ImportJobOut(job).data, status=status.HTTP_202_ACCEPTED)

    def report_response(self, report: ImportReport) -> Response:
        """Respond 201 if something was written, 200 for a dry run or nothing new, 422 for
        errors.
        """
        code: int = status.HTTP_200_OK if report.batch is None else status.HTTP_201_CREATED
        if not report.ok:
            code = status.HTTP_422_UNPROCESSABLE_ENTITY
        return Response(ImportReportOut(report).data, status=code)


@extend_schema(tags=["imports"], request={"multipart/form-data": TextsFileIn})
class ImportItemsRoute(FileRoute):
    """Import items, substitutions and systems; importing a file again changes nothing."""

    @extend_schema(responses=ANSWERS)
    def post(self, request: Request, slug: str) -> Response:
        return self.imported("items", TextsFileIn)


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


@extend_schema(tags=["imports"], request={"multipart/form-data": TableFileIn})
class InspectTableRoute(FileRoute):
    """Look at a table of any kind: how it is written, and what its columns probably are."""

    @extend_schema(responses=InspectionOut)
    def post(self, request: Request, slug: str) -> Response:
        data = self.taken(TableFileIn)
        data.pop("actor")
        return Response(table_inspect(**data).to_json())


@extend_schema(tags=["imports"], request=None)
class TakeBackRoute(CampaignRoute):
    """Take an import back while nothing was made of it; 409 says why it stays."""

    read_right = "research"

    @extend_schema(responses=TakenBackOut)
    def post(self, request: Request, slug: str, key: UUID) -> Response:
        batch = import_batch_get(campaign=self.campaign, key=key)
        removed = import_take_back(batch=batch, actor=logged_in(request.user))
        return Response({"removed": removed})


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
