"""Import of scores made elsewhere."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.importing.api import FileRoute, ImportFileIn, ImportJobOut, ImportReportOut
from scoring.http.routes import RunOut
from scoring.runs.score_import import scores_import


class ScoresFileIn(ImportFileIn):
    """A file of scores: one column `score`, or several `score.NAME`."""

    format = serializers.ChoiceField(
        ["csv", "tsv", "jsonl"], required=False, help_text="Default: by the file's name."
    )
    label = serializers.CharField(  # type: ignore[assignment]
        required=False, max_length=200, help_text="Of the column score; default: the file's name."
    )
    higher_is_better = serializers.BooleanField(default=True, help_text="In every column.")
    lower = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Names of columns score.NAME of which lower is better.",
    )


class ScoresReportOut(ImportReportOut):
    """`runs`: one per column, including existing runs with the same scores."""

    runs = RunOut(many=True)


ANSWERS = {
    200: ScoresReportOut,
    201: ScoresReportOut,
    202: ImportJobOut,
    422: ScoresReportOut,
}


@extend_schema(tags=["imports"], request={"multipart/form-data": ScoresFileIn})
class ImportScoresRoute(FileRoute):
    """Import scores made elsewhere; each column becomes a finished run."""

    @extend_schema(responses=ANSWERS)
    def post(self, request: Request, slug: str) -> Response:
        data = self.taken(ScoresFileIn)
        if (queued := self.queued("scores", data)) is not None:
            return queued
        report = scores_import(**data)
        code: int = status.HTTP_201_CREATED if report.written else status.HTTP_200_OK
        if not report.ok:
            code = status.HTTP_422_UNPROCESSABLE_ENTITY
        return Response(ScoresReportOut(report).data, status=code)
