"""The row of a campaign in the overview."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from annotation.models import Campaign
from scoring.selectors.overview import Row, overview_rows
from tests.factories import make_admin


def row_of(campaign: Campaign) -> Row:
    [row] = overview_rows([campaign])
    return row


def admin_page() -> str:
    client = Client()
    client.force_login(make_admin())
    return client.get(reverse("overview")).content.decode()
