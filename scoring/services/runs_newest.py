"""What a campaign has by now, as the greatest ids: runs remember what they are about by these."""

from __future__ import annotations

from django.db.models import Max

from annotation.models import Output, Reference


def newest_reference(campaign: int) -> int:
    """The greatest id of a reference; 0 where there is none."""
    found = Reference.objects.filter(item__campaign_id=campaign).aggregate(last=Max("pk"))["last"]
    return int(found or 0)


def newest_output(campaign: int) -> int:
    """The greatest id of an output; 0 where there is none."""
    found = Output.objects.filter(system__campaign_id=campaign).aggregate(last=Max("pk"))["last"]
    return int(found or 0)
