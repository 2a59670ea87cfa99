"""Archives and packages of a campaign; archiving, deleting and restoring one: as pages and for
programs.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import creator, logged_in
from annotation.accounts.tokens import confirmed_or_refused
from annotation.accounts.views import confirm_first
from annotation.campaigns.queries import campaign_counts
from annotation.campaigns.services import campaign_bring_back, campaign_put_away
from annotation.errors import Conflict, DomainError, Invalid
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.http.pages import check_room
from annotation.http.routes import AtWorkOut, CampaignRoute, Route
from annotation.models import Campaign
from scoring.archives.rows import restore_job_get, restore_jobs, whole_files, whole_get
from scoring.archives.services import campaign_delete, restore_order, whole_order
from scoring.exports.api import ExportOut
from scoring.exports.views import finished_file
from scoring.models import ExportFile, RestoreJob
from scoring.publishing.package_files import LICENCES

# The form for restoring a campaign.


class RestoreForm(forms.Form):
    """An archive, and the short name of the campaign that is made of it."""

    file = forms.FileField(
        label=gettext_lazy("Archive"), help_text=gettext_lazy("The zip file of an archive.")
    )
    slug = forms.SlugField(
        label=gettext_lazy("Short name"),
        required=False,
        max_length=60,
        help_text=gettext_lazy("Empty: as in the archive."),
    )

    def clean_file(self) -> UploadedFile:
        """Refuse what this site does not take."""
        file: Any = self.cleaned_data["file"]
        check_size(file.size)
        return file


def check_size(size: int) -> None:
    """Raise a ValidationError for a file that is too large."""
    if size > settings.ARCHIVE_MAX_BYTES:
        raise forms.ValidationError(too_large())


def too_large() -> str:
    return _("The file is larger than %(most)s, the most this site takes.") % {
        "most": filesizeformat(settings.ARCHIVE_MAX_BYTES)
    }


def refuse_large(size: int) -> None:
    """The same for the API: raises Invalid."""
    if size > settings.ARCHIVE_MAX_BYTES:
        raise Invalid(too_large())


SHOWN = 20


@require_GET
@campaign_view("keep")
def archive(page: CampaignPage) -> HttpResponse:
    """Archives of the campaign; its owner archives and deletes it here."""
    return page.render(
        "scoring/archive.html",
        counts=campaign_counts(campaign=page.campaign),
        **_files(page.campaign, "archive"),
    )


@require_GET
@campaign_view("keep")
def publish(page: CampaignPage) -> HttpResponse:
    """Packages to publish."""
    return page.render(
        "scoring/publish.html",
        licences=[("", _("none yet")), *((key, name) for key, (name, _url) in LICENCES.items())],
        **_files(page.campaign, "package"),
    )


@require_POST
@campaign_view("keep")
def whole_new(page: CampaignPage, what: str) -> HttpResponse:
    """Queue an archive or a package."""
    options: dict[str, Any] = {}
    if what == "package":
        names = (name.strip() for name in page.post.get("creators", "").splitlines())
        options = {
            "licence": page.post.get("licence", ""),
            "creators": [n for n in names if n],
        }
    whole_order(campaign=page.campaign, actor=page.user, what=what, **options)
    page.says(_("The file is being made; it appears below."))
    return redirect("archive" if what == "archive" else "publish", page.slug)


@require_GET
@campaign_view("keep")
def whole_file(page: CampaignPage, key: UUID) -> HttpResponseBase:
    """Download one."""
    return finished_file(campaign=page.campaign, file=whole_get(campaign=page.campaign, key=key))


def _files(campaign: Campaign, what: str) -> dict[str, Any]:
    if what not in ExportFile.WHOLE:
        raise Invalid(_("Choose an archive or a package."))
    files = list(whole_files(campaign=campaign, what=what)[:SHOWN])
    active = any(file.status in ("queued", "running") for file in files)
    return {"files": files, "active": active, "what": what, "days": settings.EXPORT_DAYS}


@require_POST
@campaign_view("own")
def away(page: CampaignPage) -> HttpResponse:
    """Put the campaign away, or bring it back."""
    act = campaign_bring_back if page.post.get("act") == "back" else campaign_put_away

    def change() -> str:
        if act(campaign=page.campaign, actor=page.user).archived_at:
            return _("The campaign is archived: it is out of the lists, and read-only.")
        return _("The campaign is back in the lists.")

    return page.act("archive", do=change)


@never_cache
@require_POST
@confirm_first
@campaign_view("own")
def delete(page: CampaignPage) -> HttpResponse:
    """Delete the campaign, if its short name was typed."""
    try:
        campaign_delete(campaign=page.campaign, actor=page.user, typed=page.post.get("typed", ""))
    except Invalid as refusal:
        page.warns(refusal.message)
        return page.go("archive")
    page.says(_("The campaign %(name)s is deleted.") % {"name": page.campaign.name})
    return redirect("campaign-list")


@require_http_methods(["GET", "POST"])
def restore(request: HttpRequest) -> HttpResponse:
    """Send an archive; a worker makes a campaign of it."""
    actor = creator(user=request.user)
    form = RestoreForm(request.POST or None, request.FILES or None)
    check_room(request)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            job = restore_order(
                stream=file.file, name=file.name, actor=actor, slug=form.cleaned_data["slug"]
            )
        except DomainError as refusal:
            form.add_error(None, refusal.message)
        else:
            return redirect("restore-job", job.key)
    jobs = restore_jobs(user=actor)[:SHOWN]
    return render(request, "scoring/restore.html", {"form": form, "jobs": jobs})


@require_GET
def restore_job(request: HttpRequest, key: UUID) -> HttpResponse:
    """How far it is; the page polls itself until it has ended."""
    job = restore_job_get(user=request.user, key=key)
    return render(request, "scoring/restore_job.html", {"job": job})


# Routes of the API.


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
