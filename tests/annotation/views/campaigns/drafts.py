"""A campaign that is a draft."""

from __future__ import annotations

from annotation.models import Campaign
from tests.factories import make_campaign


def draft() -> Campaign:
    return make_campaign(items=2, open_it=False)
