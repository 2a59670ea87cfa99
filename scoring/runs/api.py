"""Runs and their scores; import of scores made elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import logged_in
from annotation.http.formats import Stream
from annotation.http.routes import AtWorkOut, CampaignRoute
from annotation.importing.api import FileRoute, ImportFileIn, ImportJobOut, ImportReportOut
from scoring.models import Run, Score
from scoring.runs.queries import run_get, runs_of, system_scores
from scoring.runs.score_import import scores_import
from scoring.runs.start import run_cancel, run_retry, run_start, run_update


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
