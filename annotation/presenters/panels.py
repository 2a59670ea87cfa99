"""What a panel gives to the platform: its addresses, and the payment list as a file."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from django.urls import reverse
from rest_framework.request import Request

from annotation.models import Panel
from annotation.selectors.people.payments import COLUMNS, payment_rows
from paraanno.answers.site_address import full_address
from paraanno.plain.formulas import escape


def address(request: Request | HttpRequest, panel: Panel, name: str) -> str:
    """Return the full address of one of the panel's pages."""
    return full_address(request, reverse(name, args=[panel.token]))


class Echo:
    """A file that returns what is written."""

    def write(self, text: str) -> str:
        return text


def payments_file(panel: Panel) -> StreamingHttpResponse:
    """Return the payment list as CSV; cells that a spreadsheet would compute are escaped."""
    writer: Any = csv.writer(Echo())

    def rows() -> Iterator[str]:
        yield writer.writerow(COLUMNS)
        for row in payment_rows(panel=panel):
            yield writer.writerow([escape(cell) for cell in row])

    answer = StreamingHttpResponse(rows(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="payments-{panel.key}.csv"'
    return answer
