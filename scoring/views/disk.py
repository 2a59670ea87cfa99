"""What takes room on the disks, for administrators."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.errors import NotFound
from paraanno.backups.nightly import backup_state
from scoring.selectors.disk import disk_use
from scoring.services.reports.expiry import exports_clear


@never_cache
@require_http_methods(["GET", "POST"])
def disk(request: HttpRequest) -> HttpResponse:
    """Show sizes; a POST removes exported files, which can be made again."""
    if not request.user.is_superuser:
        raise NotFound(_("There is no such page."))
    if request.method == "POST":
        n = exports_clear(actor=request.user)
        said = ngettext("%(n)s exported file was removed.", "%(n)s exported files were removed.", n)
        messages.success(request, said % {"n": n})
        return redirect("disk")
    return render(request, "scoring/disk.html", {"disk": disk_use(), "backup": backup_state()})
