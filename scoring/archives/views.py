"""Archives and packages of a campaign; archiving, deleting and restoring one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import campaign_get, creator
from annotation.accounts.confirm_views import confirm_first
from annotation.campaigns.queries import campaign_counts
from annotation.campaigns.services import campaign_bring_back, campaign_put_away
from annotation.errors import DomainError, Invalid
from annotation.http.pages import campaign_page, check_room
from annotation.models import Campaign
from scoring.archives.rows import WHOLE, restore_job_get, restore_jobs, whole_files, whole_get
from scoring.archives.services import campaign_delete, restore_order, whole_order
from scoring.http.overview_cards import finished_file
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
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """Archives of the campaign; its owner archives and deletes it here."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="keep")
    return campaign_page(
        request,
        "scoring/archive.html",
        campaign=campaign,
        rights=rights,
        counts=campaign_counts(campaign=campaign),
        **_files(campaign, "archive"),
    )


@require_GET
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Packages to publish."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="keep")
    return campaign_page(
        request,
        "scoring/publish.html",
        campaign=campaign,
        rights=rights,
        licences=[("", _("none yet")), *((key, name) for key, (name, _url) in LICENCES.items())],
        **_files(campaign, "package"),
    )


@require_POST
def whole_new(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    """Queue an archive or a package."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="keep")
    options: dict[str, Any] = {}
    if what == "package":
        names = (name.strip() for name in request.POST.get("creators", "").splitlines())
        options = {"licence": request.POST.get("licence", ""), "creators": [n for n in names if n]}
    whole_order(campaign=campaign, actor=request.user, what=what, **options)
    messages.success(request, _("The file is being made; it appears below."))
    return redirect("archive" if what == "archive" else "publish", slug)


@require_GET
def whole_file(request: HttpRequest, slug: str, key: UUID) -> HttpResponseBase:
    """Download one."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="keep")
    return finished_file(campaign=campaign, file=whole_get(campaign=campaign, key=key))


def _files(campaign: Campaign, what: str) -> dict[str, Any]:
    if what not in WHOLE:
        raise Invalid(_("Choose an archive or a package."))
    files = list(whole_files(campaign=campaign, what=what)[:SHOWN])
    active = any(file.status in ("queued", "running") for file in files)
    return {"files": files, "active": active, "what": what, "days": settings.EXPORT_DAYS}


@require_POST
def away(request: HttpRequest, slug: str) -> HttpResponse:
    """Put the campaign away, or bring it back."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="own")
    act = campaign_bring_back if request.POST.get("act") == "back" else campaign_put_away
    try:
        campaign = act(campaign=campaign, actor=request.user)
    except Invalid as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(
            request,
            _("The campaign is archived: it is out of the lists, and read-only.")
            if campaign.archived_at
            else _("The campaign is back in the lists."),
        )
    return redirect("archive", slug)


@never_cache
@require_POST
@confirm_first
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete the campaign, if its short name was typed."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="own")
    try:
        campaign_delete(campaign=campaign, actor=request.user, typed=request.POST.get("typed", ""))
    except Invalid as refusal:
        messages.error(request, refusal.message)
        return redirect("archive", slug)
    messages.success(request, _("The campaign %(name)s is deleted.") % {"name": campaign.name})
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
