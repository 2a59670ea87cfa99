"""Archives and packages of a campaign; archiving, deleting and restoring one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import creator
from annotation.accounts.confirm_views import confirm_first
from annotation.campaigns.queries import campaign_counts
from annotation.campaigns.services import campaign_bring_back, campaign_put_away
from annotation.errors import DomainError, Invalid
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.http.pages import check_room
from annotation.models import Campaign
from scoring.archives.rows import restore_job_get, restore_jobs, whole_files, whole_get
from scoring.archives.services import campaign_delete, restore_order, whole_order
from scoring.exports.views import finished_file
from scoring.models import ExportFile
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
