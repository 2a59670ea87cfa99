"""The page that imports scores made elsewhere."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.errors import Invalid
from annotation.forms.uploads import check_room
from annotation.selectors.access import campaign_get
from annotation.services.importing.jobs import goes_to_worker, import_order
from annotation.views.pages import campaign_page
from scoring.forms.scores import ScoresForm
from scoring.services.runs.imports import ScoresReport, scores_import

SHOWN = 200


@require_http_methods(["GET", "POST"])
def import_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The import form; for a file with errors it lists them line by line."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    posted = request.method == "POST"
    form = ScoresForm(request.POST, request.FILES) if posted else ScoresForm()
    check_room(request)
    report: ScoresReport | None = None
    name = ""
    if posted and form.is_valid():
        data = form.cleaned_data
        name, format = data["file"].name, data["format"] or None
        about: dict[str, Any] = {
            "campaign": campaign, "stream": data["file"].file, "name": name, "actor": request.user,
            "label": data["label"], "higher_is_better": not data["lower_is_better"],
            "lower": data["lower"], "format": format,
        }  # fmt: skip
        if goes_to_worker(stream=data["file"].file, name=name, format=format):
            job = import_order(what="scores", **about)
            return redirect("import-job", slug, job.key)
        try:
            report = scores_import(**about)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        if report is not None and report.ok:
            return _imported(request, slug, report)
    problems = report.problems if report else ()
    return campaign_page(
        request, "scoring/scores_import.html", campaign=campaign, rights=rights, form=form,
        report=report, file_name=name, problems=problems[:SHOWN],
        more=max(0, len(problems) - SHOWN), status=422 if form.errors or report else 200,
    )  # fmt: skip


def _imported(request: HttpRequest, slug: str, report: ScoresReport) -> HttpResponse:
    names = ", ".join(run.label for run in report.runs)
    if report.written:
        said = _("Imported: %(names)s.") % {"names": names}
        messages.success(request, said)
    else:
        said = _("The same scores already exist: %(names)s.") % {"names": names}
        messages.info(request, said)
    for problem in report.problems[:3]:
        messages.warning(request, str(problem))
    if len(report.runs) == 1:
        return redirect("run", slug, report.runs[0].key)
    return redirect("runs", slug)
