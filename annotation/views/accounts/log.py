"""The audit log of the whole site."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation.exporters import row_chunks
from annotation.forms.persons import LogForm
from annotation.selectors.accounts.log import COLUMNS, check_site, site_log, site_log_rows

PER_PAGE = 50


@require_GET
def site_audit(request: HttpRequest) -> HttpResponse:
    """The log with its filters, for administrators; an address keeps them."""
    check_site(request.user)
    form = LogForm(request.GET)
    fine = form.is_valid()
    page = Paginator(site_log(asked=form.asked()), PER_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "asked": request.GET.urlencode()}
    return render(request, "accounts/log.html", context, status=200 if fine else 422)


@require_GET
def site_audit_file(request: HttpRequest) -> StreamingHttpResponse:
    """The same entries as CSV, streamed."""
    check_site(request.user)
    form = LogForm(request.GET)
    form.is_valid()
    rows = site_log_rows(asked=form.asked())
    answer = StreamingHttpResponse(
        row_chunks(rows, COLUMNS, format="csv"), content_type="text/csv; charset=utf-8"
    )
    answer["Content-Disposition"] = 'attachment; filename="log.csv"'
    return answer
