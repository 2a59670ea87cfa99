"""Imports of files into a campaign."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.campaign_route import CampaignRoute
from annotation.api.campaigns.import_forms import (
    GoldFileIn,
    ImportJobOut,
    ImportReportOut,
    InspectionOut,
    JudgmentFileIn,
    TableFileIn,
    TakenBackOut,
    TextsFileIn,
    UnsureOut,
)
from annotation.api.serializers import ImportBatchOut
from annotation.errors import Invalid
from annotation.forms.uploads import check_room
from annotation.importers.tables import Inspection, is_book
from annotation.selectors.access import known
from annotation.selectors.campaigns.imports import import_batch_get, import_job_get
from annotation.services.importing import ImportReport
from annotation.services.importing.jobs import (
    AT_ONCE,
    goes_to_worker,
    import_order,
    table_goes_to_worker,
)
from annotation.services.importing.tables.mappings import mapping_keep
from annotation.services.importing.tables.sources import (
    agreed,
    column_map,
    mapping_guess,
    table_inspect,
    table_rows,
)
from annotation.services.importing.take_back import import_take_back

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
            "actor": known(self.request.user),
            **{name: value for name, value in data.items() if value != ""},
        }

    def imported(self, what: str, form: type[serializers.Serializer[Any]]) -> Response:
        """Import the file, or queue it for a worker if it is large."""
        data = self.taken(form)
        seen = self.mapped(what, data)
        job = self.queued(what, data, seen)
        if job is not None:
            return job
        report = AT_ONCE[what](**data)
        if report.batch is not None and data.get("mapping"):
            mapping_keep(
                campaign=self.campaign, mapping=data["mapping"], file_name=data["name"],
                actor=data["actor"],
            )  # fmt: skip
        return self.told(report)

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
            found = column_map({**given, "sheet": sheet or given.get("sheet")}
                               if isinstance(given, dict) else given)  # fmt: skip
            data["mapping"] = agreed(found, **answers)
            return table_inspect(what=what, sheet=found.sheet, **about)
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

    def told(self, report: ImportReport) -> Response:
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
        removed = import_take_back(batch=batch, actor=known(request.user))
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
