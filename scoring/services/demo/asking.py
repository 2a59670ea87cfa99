"""Asking for the metric runs of the demo. A worker starts them, so that no page waits for them."""

from __future__ import annotations

from annotation.models import Campaign
from paraanno.plain.renaming import put_in_place
from scoring.selectors.demo import demo_mark


def demo_runs_ask(*, campaign: Campaign) -> None:
    """Leave a mark in the data folder, which the next sweep of an idle worker finds."""
    mark = demo_mark()
    half = mark.with_name(f"{mark.name}.half")
    half.write_text(str(campaign.pk), encoding="ascii")
    put_in_place(half, mark)
