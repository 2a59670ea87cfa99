"""Runs, scores and exports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import FileResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import logged_in
from annotation.campaigns.serializers import AtWorkOut
from annotation.errors import Conflict
from annotation.http.formats import Stream
from annotation.http.routes import CampaignRoute
from scoring.exports import services
from scoring.exports.api import GOLD_METHODS
from scoring.exports.rows import export_files, export_get
from scoring.http.overview_cards import finished_file, small_file
from scoring.models import ExportFile, Run, Score
from scoring.runs.queries import run_get, runs_of, system_scores
from scoring.runs.start import run_cancel, run_retry, run_start, run_update

EXPORT_FORMATS = [(name, name) for name in services.FORMATS]


class RunOut(AtWorkOut, serializers.ModelSerializer[Run]):
    """A run with its progress. `met`: what its texts were compared with; null if unknown."""

    signature = serializers.CharField(source="full_signature")

    class Meta:
        model = Run
        fields = [
            "key",
            "metric",
            "label",
            "scope",
            "options",
            "signature",
            "met",
            "higher_is_better",
            "queue",
            "status",
            "total",
            "done",
            "failed",
            "reused",
            "progress",
            "seconds_left",
            "error",
            "created_at",
            "started_at",
            "finished_at",
        ]


class RunIn(serializers.Serializer[Any]):
    """A metric in the syntax of the `score` command, for example `bleu:lowercase=yes`."""

    metric = serializers.CharField(max_length=500)
    scope = serializers.ChoiceField(Run.Scope.choices, default=Run.Scope.SENTENCE.value)


class ScoreOut(serializers.ModelSerializer[Score]):
    """The score of a text, or the reason why it is undefined."""

    substitution = serializers.UUIDField(source="substitution.key")
    detail = serializers.JSONField(
        allow_null=True, help_text="How the metric came to the number, where it can tell."
    )

    class Meta:
        model = Score
        fields = ["substitution", "value", "reason", "detail"]


class SystemScoreOut(serializers.Serializer[Any]):
    """The score of a system."""

    system = serializers.CharField(source="system.label")
    kind = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField()
    reason = serializers.CharField()


class ExportIn(serializers.Serializer[Any]):
    """Which export, in which format."""

    what = serializers.ChoiceField(services.WHAT)
    format = serializers.ChoiceField(EXPORT_FORMATS, default="jsonl", help_text="Of the file.")
    scale = serializers.CharField(required=False, help_text="For a matrix.")
    annotator = serializers.CharField(required=False, help_text="For a judged evaluation file.")
    method = serializers.CharField(required=False, help_text=f"Of gold: {GOLD_METHODS}.")


class ExportOut(AtWorkOut, serializers.ModelSerializer[ExportFile]):
    """An export file that is queued, being made, or finished."""

    class Meta:
        model = ExportFile
        fields = [
            "key",
            "what",
            "format",
            "status",
            "progress",
            "seconds_left",
            "rows",
            "sha256",
            "size",
            "error",
            "created_at",
            "removed_at",
        ]


@extend_schema(tags=["runs"])
class RunsRoute(CampaignRoute):
    """Metric runs, newest first."""

    serializer_class = RunOut

    @extend_schema(responses=RunOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(runs_of(campaign=self.campaign))
        return self.get_paginated_response(RunOut(page, many=True).data)

    @extend_schema(request=RunIn, responses={201: RunOut})
    def post(self, request: Request, slug: str) -> Response:
        """Start a metric run; workers score it."""
        data = self.checked(RunIn)
        run = run_start(
            campaign=self.campaign,
            spec=data["metric"],
            scope=data["scope"],
            actor=logged_in(request.user),
        )
        return Response(RunOut(run).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["runs"])
class OneRunRoute(CampaignRoute):
    """One run."""

    @extend_schema(responses=RunOut)
    def get(self, request: Request, slug: str, key: UUID) -> Response:
        return Response(RunOut(run_get(campaign=self.campaign, key=key)).data)


class _RunActRoute(CampaignRoute):
    read_right = "research"
    act: Callable[..., Any]

    @extend_schema(request=None, responses=RunOut, tags=["runs"])
    def post(self, request: Request, slug: str, key: UUID) -> Response:
        run = run_get(campaign=self.campaign, key=key)
        type(self).act(run=run, actor=logged_in(request.user))
        return Response(RunOut(run_get(campaign=self.campaign, key=key)).data)


class CancelRunRoute(_RunActRoute):
    """Cancel a run; existing scores are kept."""

    act = staticmethod(run_cancel)


class RetryRunRoute(_RunActRoute):
    """Retry a failed or cancelled run."""

    act = staticmethod(run_retry)


class UpdateRunRoute(_RunActRoute):
    """Score texts added after the run; 409 gives the reason if only a new run is possible."""

    act = staticmethod(run_update)


@extend_schema(tags=["runs"])
class ScoresRoute(CampaignRoute):
    """The run's score of every text; paginated by `next`."""

    serializer_class = ScoreOut
    pagination_class = Stream

    @extend_schema(responses=ScoreOut(many=True))
    def get(self, request: Request, slug: str, key: UUID) -> Response:
        run = run_get(campaign=self.campaign, key=key)
        page = self.paginate_queryset(run.scores.select_related("substitution"))
        return self.get_paginated_response(ScoreOut(page, many=True).data)


@extend_schema(tags=["runs"])
class SystemScoresRoute(CampaignRoute):
    """The run's score of every system."""

    pagination_class = None

    @extend_schema(responses=SystemScoreOut(many=True))
    def get(self, request: Request, slug: str, key: UUID) -> Response:
        run = run_get(campaign=self.campaign, key=key)
        return Response(SystemScoreOut(system_scores(runs=[run]), many=True).data)


@extend_schema(tags=["exports"])
class ExportsRoute(CampaignRoute):
    """Exports: a small one is returned at once, a large one is queued for a worker."""

    write_right = "read"
    serializer_class = ExportOut

    @extend_schema(responses=ExportOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(export_files(campaign=self.campaign))
        return self.get_paginated_response(ExportOut(page, many=True).data)

    @extend_schema(request=ExportIn, responses={(200, "*/*"): OpenApiTypes.BINARY, 202: ExportOut})
    def post(self, request: Request, slug: str) -> Any:
        data = self.checked(ExportIn)
        what, wanted, method = data["what"], data["format"], data.get("method")
        chosen = {"annotator": data.get("annotator"), "method": method}
        format, scale = services.export_check(
            campaign=self.campaign, what=what, format=wanted, scale=data.get("scale"), **chosen
        )
        if services.is_large(campaign=self.campaign, what=what, format=format, method=method):
            file = services.export_order(
                campaign=self.campaign,
                actor=logged_in(request.user),
                what=what,
                format=wanted,
                scale=scale,
                **chosen,
            )
            return Response(ExportOut(file).data, status=status.HTTP_202_ACCEPTED)
        return small_file(campaign=self.campaign, what=what, format=format, scale=scale, **chosen)


class _OneExportRoute(CampaignRoute):
    def export(self, key: UUID) -> ExportFile:
        return export_get(campaign=self.campaign, key=key)


@extend_schema(tags=["exports"])
class OneExportRoute(_OneExportRoute):
    """One export: its status, and the number of rows and SHA-256 once it is finished."""

    @extend_schema(responses=ExportOut)
    def get(self, request: Request, slug: str, key: UUID) -> Response:
        return Response(ExportOut(self.export(key)).data)


@extend_schema(tags=["exports"])
class ExportContentRoute(_OneExportRoute):
    """The file of a finished export."""

    @extend_schema(responses={(200, "*/*"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str, key: UUID) -> FileResponse:
        file = self.export(key)
        if file.status != ExportFile.Status.DONE:
            raise Conflict(_("The file is not finished."), status=file.status)
        return finished_file(campaign=self.campaign, file=file)
