"""Files into a campaign."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base import CampaignRoute
from annotation.api.serializers import ImportBatchSerializer
from annotation.selectors.access import known
from annotation.services.errors import Invalid
from annotation.services.importing import (
    ImportReport,
    gold_import,
    items_import,
    judgments_import,
)


class ImportFileSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(allow_empty_file=True)
    format = serializers.ChoiceField(
        ["csv", "tsv", "jsonl", "ccb"], required=False, help_text="Default: by the file's name."
    )
    dry_run = serializers.BooleanField(default=False, help_text="Check, and change nothing.")
    raw = serializers.BooleanField(
        default=False, help_text="Text cells carry no apostrophe against spreadsheet formulas."
    )


class JudgmentFileSerializer(ImportFileSerializer):
    annotator = serializers.CharField(
        required=False, max_length=60, help_text="Code, where the file names no annotator."
    )
    repeats = serializers.ChoiceField(
        ["number"], required=False, help_text="number: a key met again is the next occasion."
    )
    fill_slots = serializers.BooleanField(
        default=False, help_text="The judgments take places of their sheets."
    )


class GoldFileSerializer(ImportFileSerializer):
    source = serializers.CharField(  # type: ignore[assignment]
        required=False, max_length=200, help_text="Where it comes from; default: the file's name."
    )


class ProblemSerializer(serializers.Serializer[Any]):
    file = serializers.CharField()
    line = serializers.IntegerField()
    column = serializers.CharField(allow_null=True)
    severity = serializers.ChoiceField(["error", "warning"])
    message = serializers.CharField()


class ImportReportSerializer(serializers.Serializer[Any]):
    """`counts`: what is new in the campaign, or would be."""

    ok = serializers.BooleanField()
    dry_run = serializers.BooleanField()
    rows = serializers.IntegerField()
    counts = serializers.DictField(child=serializers.IntegerField())
    problems = ProblemSerializer(many=True)
    batch = serializers.UUIDField(source="batch.key", default=None, allow_null=True)


ANSWERS = {
    200: ImportReportSerializer,
    201: ImportReportSerializer,
    422: ImportReportSerializer,
}


class FileRoute(CampaignRoute):
    """A route that takes a file."""

    read_right = "research"
    parser_classes = [MultiPartParser]

    def taken(self, form: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """What the services of all three kinds take."""
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

    def told(self, report: ImportReport) -> Response:
        """201 where something was written, 200 for a dry run or nothing new, 422 for errors."""
        code: int = status.HTTP_200_OK if report.batch is None else status.HTTP_201_CREATED
        if not report.ok:
            code = status.HTTP_422_UNPROCESSABLE_ENTITY
        return Response(ImportReportSerializer(report).data, status=code)


@extend_schema(tags=["imports"], request={"multipart/form-data": ImportFileSerializer})
class ImportItems(FileRoute):
    """Items, substitutions and systems; importing a file again changes nothing."""

    @extend_schema(responses=ANSWERS)
    def post(self, request: Request, slug: str) -> Response:
        return self.told(items_import(**self.taken(ImportFileSerializer)))


@extend_schema(tags=["imports"], request={"multipart/form-data": JudgmentFileSerializer})
class ImportJudgments(FileRoute):
    """Judgments made elsewhere; their items must be there already."""

    @extend_schema(responses=ANSWERS)
    def post(self, request: Request, slug: str) -> Response:
        return self.told(judgments_import(**self.taken(JudgmentFileSerializer)))


@extend_schema(tags=["imports"], request={"multipart/form-data": GoldFileSerializer})
class ImportGold(FileRoute):
    """Gold values made elsewhere; their items must be there already."""

    @extend_schema(responses=ANSWERS)
    def post(self, request: Request, slug: str) -> Response:
        return self.told(gold_import(**self.taken(GoldFileSerializer)))


@extend_schema(tags=["imports"])
class Imports(CampaignRoute):
    """The files that were imported, the newest first."""

    serializer_class = ImportBatchSerializer

    @extend_schema(responses=ImportBatchSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(self.campaign.batches.all())
        return self.get_paginated_response(ImportBatchSerializer(page, many=True).data)
