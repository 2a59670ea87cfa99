"""Reports, exports, and the answers to what a reviewer will ask."""

from __future__ import annotations

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
from annotation.errors import Conflict, NotAllowed, NotFound
from annotation.http.routes import AtWorkOut, CampaignRoute
from scoring.exports import services
from scoring.exports.provenance import KIND_LABELS, MOST_ANSWER, reviewer_questions, reviewer_save
from scoring.exports.rows import export_files, export_get
from scoring.exports.views import finished_file, small_file
from scoring.models import ExportFile
from scoring.ratings.choice import Choice
from scoring.reports.compute import FOR_RESEARCHERS, KINDS, report_get
from scoring.stats.evaluation.mixes import FITS, SCALES
from scoring.stats.gold.latent import METHODS

GOLD_METHODS = f"{', '.join(METHODS)}; adjudicated- before it: adjudicated values first"
EXPORT_FORMATS = [(name, name) for name in services.FORMATS]
ASK_AGAIN = "4"  # seconds until somebody who waits for a report asks again
ASKED_FIELDS = ("run", "first", "second", "scale", "scaling", "fit")


class ReportIn(serializers.Serializer[Any]):
    """The choice of judgments; by default all judgments that count."""

    occasion = serializers.IntegerField(default=1, min_value=1, max_value=32767)
    surplus = serializers.BooleanField(default=False)
    excluded = serializers.BooleanField(default=False)
    blind_only = serializers.BooleanField(default=False)
    systems = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Labels: only their texts."
    )
    phrases = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Whole texts: only these phrases."
    )
    annotators = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Codes: only their judgments."
    )
    batches = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Numbers of imports of items."
    )
    attribute = serializers.CharField(
        required=False, help_text="LEVEL.NAME=VALUE; LEVEL is item, phrase or substitution."
    )
    since = serializers.DateField(required=False, help_text="Recorded on that day (UTC) or later.")
    until = serializers.DateField(required=False, help_text="Recorded on that day or earlier.")
    as_of = serializers.CharField(
        required=False,
        help_text="A day or a time (UTC): what counted at its end. For agreement and results.",
    )
    controls = serializers.BooleanField(
        default=False, help_text="Controls instead of systems’ texts; for agreement alone."
    )
    method = serializers.CharField(
        default="mean", help_text=f"Of results-gold and gold-values: {GOLD_METHODS}."
    )
    run = serializers.UUIDField(
        required=False, help_text="Of one-metric: the key of a finished run."
    )
    first = serializers.UUIDField(
        required=False, help_text="Of mixes: the key of the first run, the newest of its metric."
    )
    second = serializers.UUIDField(required=False, help_text="Of mixes: the key of the second.")
    scale = serializers.CharField(
        required=False, help_text="Of one-metric and mixes: an ordered scale; default: the first."
    )
    scaling = serializers.ChoiceField(
        SCALES, required=False, help_text="Of mixes: what is done to scores before."
    )
    fit = serializers.ChoiceField(
        FITS, required=False, help_text="Of mixes: nnls: no weight below 0; ols: any."
    )


class ReportOut(serializers.Serializer[Any]):
    """`result` is the output of the command of the same name; null while it is being computed.

    `fresh` is false if newer judgments or scores exist; `progress` (0 to 1) and `seconds_left` are
    those of a newer report that is being made, null where they are not known.
    """

    fresh = serializers.BooleanField()
    made_at = serializers.DateTimeField(
        source="report.finished_at", default=None, allow_null=True, read_only=True
    )
    progress = serializers.FloatField(
        source="waiting.completed", default=None, allow_null=True, read_only=True
    )
    seconds_left = serializers.IntegerField(
        source="waiting.seconds_left", default=None, allow_null=True, read_only=True
    )
    result = serializers.JSONField(allow_null=True)


@extend_schema(tags=["reports"])
class OneReportRoute(CampaignRoute):
    """One report: agreement, results, results-gold, gold (compares the methods), gold-values (of
    one method), correlation, mixes, one-metric (its texts) or, for researchers, annotators."""

    filter_serializer = ReportIn

    @extend_schema(parameters=[ReportIn], responses={200: ReportOut, 202: ReportOut})
    def get(self, request: Request, slug: str, kind: str) -> Response:
        if kind not in KINDS:
            raise NotFound(
                _("There is no such report: use one of %(kinds)s.") % {"kinds": ", ".join(KINDS)}
            )
        if kind in FOR_RESEARCHERS and not self.rights.research:
            raise NotAllowed(_("Your role in this campaign does not allow that."))
        filters = self.filters()
        view = report_get(
            campaign=self.campaign,
            kind=kind,
            actor=logged_in(request.user),
            choice=Choice.from_json(filters),
            parameters={
                name: str(value) for name, value in filters.items() if name in ASKED_FIELDS
            },
        )
        if view.result is None and view.waiting is not None and view.waiting.error:
            raise Conflict(_("The report could not be made."), error=view.waiting.error)
        if view.result is not None:
            return Response(ReportOut(view).data)
        return Response(
            ReportOut(view).data,
            status=status.HTTP_202_ACCEPTED,
            headers={"Retry-After": ASK_AGAIN},
        )


class ReviewerIn(serializers.Serializer[Any]):
    """Answers by question; those that are absent stay, an empty one is taken away."""

    kind = serializers.ChoiceField(list(KIND_LABELS), required=False, allow_blank=True)
    annotators = serializers.CharField(required=False, allow_blank=True, max_length=MOST_ANSWER)
    pay = serializers.CharField(required=False, allow_blank=True, max_length=MOST_ANSWER)
    instructions = serializers.CharField(required=False, allow_blank=True, max_length=MOST_ANSWER)
    texts = serializers.CharField(required=False, allow_blank=True, max_length=MOST_ANSWER)
    collected = serializers.CharField(required=False, allow_blank=True, max_length=MOST_ANSWER)
    ethics = serializers.CharField(required=False, allow_blank=True, max_length=MOST_ANSWER)


class ReviewerOut(serializers.Serializer[Any]):
    """A question with its answer, "" while it is open; `known` is what the campaign knows."""

    question = serializers.CharField(source="key")
    asks = serializers.CharField(source="label")
    answer = serializers.CharField(allow_blank=True)
    known = serializers.ListField(source="facts", child=serializers.CharField())
    open = serializers.BooleanField()


@extend_schema(tags=["exports"])
class ReviewerRoute(CampaignRoute):
    """What a reviewer will ask and the campaign does not know, for the files of its paper."""

    read_right = "research"
    pagination_class = None

    @extend_schema(responses=ReviewerOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(ReviewerOut(reviewer_questions(campaign=self.campaign), many=True).data)

    @extend_schema(request=ReviewerIn, responses=ReviewerOut(many=True))
    def patch(self, request: Request, slug: str) -> Response:
        answers = self.checked(ReviewerIn)
        reviewer_save(campaign=self.campaign, actor=logged_in(request.user), answers=answers)
        return Response(ReviewerOut(reviewer_questions(campaign=self.campaign), many=True).data)


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
