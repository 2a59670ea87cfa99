"""A campaign that is a draft, and the page of its imports."""

from __future__ import annotations

from annotation.models import Campaign
from tests.factories import make_campaign

PAGE = "/c/camp/import/"


def draft() -> Campaign:
    return make_campaign(items=2, open_it=False)
