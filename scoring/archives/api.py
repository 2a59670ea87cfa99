"""Archives and packages; archiving, deleting and restoring a campaign."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import FileResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import creator, logged_in
from annotation.accounts.confirming import confirmed_or_refused
from annotation.campaigns.services import campaign_bring_back, campaign_put_away
from annotation.errors import Conflict
from annotation.http.pages import check_room
from annotation.http.routes import AtWorkOut, CampaignRoute, Route
from scoring.archives.rows import restore_job_get, restore_jobs, whole_files, whole_get
from scoring.archives.services import campaign_delete, restore_order, whole_order
from scoring.archives.views import refuse_large
from scoring.exports.api import ExportOut
from scoring.exports.views import finished_file
from scoring.models import ExportFile, RestoreJob
from scoring.publishing.package_files import LICENCES


class ArchiveIn(serializers.Serializer[Any]):
    """An archive (everything), or a package (to be published)."""

    what = serializers.ChoiceField(ExportFile.WHOLE, default="archive")
    licence = serializers.ChoiceField(list(LICENCES), required=False, help_text="Of a package.")
    creators = serializers.ListField(
        child=serializers.CharField(max_length=200), required=False, help_text="Of a package."
    )


class AwayIn(serializers.Serializer[Any]):
    """Whether the campaign is to be out of the lists, and read only."""

    archived = serializers.BooleanField()


class AwayOut(serializers.Serializer[Any]):
    """Since when it is, or null."""

    archived_at = serializers.DateTimeField(allow_null=True)


class DeleteIn(serializers.Serializer[Any]):
    """The campaign's short name once more: deleting cannot be undone."""

    typed = serializers.CharField(max_length=60)


class RestoreIn(serializers.Serializer[Any]):
    """An archive; `slug` is the short name of the new campaign (default: as in the archive)."""

    file = serializers.FileField()
    slug = serializers.SlugField(max_length=60, required=False, default="")


class RestoreOut(AtWorkOut, serializers.ModelSerializer[RestoreJob]):
    """An archive being restored; `campaign` is the short name of what was made of it."""

    campaign = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True)

    class Meta:
        model = RestoreJob
        fields = [
            "key",
            "file_name",
            "status",
            "done",
            "total",
            "progress",
            "seconds_left",
            "campaign",
            "error",
            "created_at",
        ]


@extend_schema(tags=["archives"])
class ArchivesRoute(CampaignRoute):
    """Archives and packages of a campaign, newest first; a worker makes them."""

    read_right = write_right = "keep"
    serializer_class = ExportOut

    @extend_schema(responses=ExportOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(whole_files(campaign=self.campaign))
        return self.get_paginated_response(ExportOut(page, many=True).data)

    @extend_schema(request=ArchiveIn, responses={202: ExportOut})
    def post(self, request: Request, slug: str) -> Response:
        options = self.checked(ArchiveIn)
        file = whole_order(campaign=self.campaign, actor=logged_in(request.user), **options)
        return Response(ExportOut(file).data, status=status.HTTP_202_ACCEPTED)


@extend_schema(tags=["archives"])
class OneArchiveRoute(CampaignRoute):
    """One archive or package: its status, and its SHA-256 once it is finished."""

    read_right = "keep"

    @extend_schema(responses=ExportOut)
    def get(self, request: Request, slug: str, key: UUID) -> Response:
        return Response(ExportOut(whole_get(campaign=self.campaign, key=key)).data)


@extend_schema(tags=["archives"])
class ArchiveContentRoute(CampaignRoute):
    """The file."""

    read_right = "keep"

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str, key: UUID) -> FileResponse:
        file = whole_get(campaign=self.campaign, key=key)
        if file.status != ExportFile.Status.DONE:
            raise Conflict(_("The file is not finished."), status=file.status)
        return finished_file(campaign=self.campaign, file=file)


@extend_schema(tags=["archives"])
class AwayRoute(CampaignRoute):
    """Archive a campaign away, or bring it back."""

    write_right = "own"

    @extend_schema(request=AwayIn, responses=AwayOut)
    def post(self, request: Request, slug: str) -> Response:
        act = campaign_put_away if self.checked(AwayIn)["archived"] else campaign_bring_back
        campaign = act(campaign=self.campaign, actor=logged_in(request.user))
        return Response(AwayOut({"archived_at": campaign.archived_at}).data)


@extend_schema(tags=["archives"])
class DeleteCampaignRoute(CampaignRoute):
    """Delete a campaign with everything in it, for good."""

    write_right = "own"

    @extend_schema(request=DeleteIn, responses={204: None})
    def post(self, request: Request, slug: str) -> Response:
        typed = self.checked(DeleteIn)["typed"]
        confirmed_or_refused(request)
        campaign_delete(campaign=self.campaign, actor=logged_in(request.user), typed=typed)
        return Response(status=status.HTTP_204_NO_CONTENT)


@extend_schema(tags=["archives"])
class RestoresRoute(Route):
    """Archives sent by you, newest first."""

    serializer_class = RestoreOut
    parser_classes = [MultiPartParser]

    def initial(self, request: Request, *args: Any, **options: Any) -> None:
        super().initial(request, *args, **options)
        creator(user=request.user)

    @extend_schema(responses=RestoreOut(many=True))
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(restore_jobs(user=logged_in(request.user)))
        return self.get_paginated_response(RestoreOut(page, many=True).data)

    @extend_schema(request={"multipart/form-data": RestoreIn}, responses={202: RestoreOut})
    def post(self, request: Request) -> Response:
        """Send an archive; a worker makes a campaign of it, which you own."""
        check_room(request._request)
        data = self.checked(RestoreIn)
        refuse_large(data["file"].size)
        job = restore_order(
            stream=data["file"].file,
            name=data["file"].name,
            actor=creator(user=request.user),
            slug=data["slug"],
        )
        return Response(RestoreOut(job).data, status=status.HTTP_202_ACCEPTED)


@extend_schema(tags=["archives"])
class OneRestoreRoute(Route):
    """How far a restore is."""

    @extend_schema(responses=RestoreOut)
    def get(self, request: Request, key: UUID) -> Response:
        return Response(RestoreOut(restore_job_get(user=logged_in(request.user), key=key)).data)
