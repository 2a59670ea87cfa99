"""Figures of data collection for `/metrics`: few rows, read from indexes."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count

from annotation.models import Campaign, Letter, Slot
from paraanno.observability.counted import Gauge


def collecting() -> Iterable[Gauge]:
    by_status = Campaign.objects.values_list("status").annotate(n=Count("*")).order_by()
    counts = dict(by_status)
    rows = [((str(status),), float(counts.get(status, 0))) for status in Campaign.Status.values]
    yield Gauge("paraanno_campaigns", "Campaigns, by status.", rows, ("status",))
    letters = dict(Letter.objects.values_list("status").annotate(n=Count("*")).order_by())
    states = [((str(one),), float(letters.get(one, 0))) for one in Letter.Status.values]
    yield Gauge("paraanno_letters", "E-mails, by status.", states, ("status",))
    claimed = Slot.objects.filter(state=Slot.State.CLAIMED).count()
    yield Gauge("paraanno_sheets_open", "Sheets that annotators hold.", [((), float(claimed))])
