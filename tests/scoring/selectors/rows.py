"""The row of a campaign in the overview."""

from django.test import Client
from django.urls import reverse

from scoring.http.overview import overview_rows
from tests.factories import make_admin


def row_of(campaign):
    [row] = overview_rows([campaign])
    return row


def admin_page():
    client = Client()
    client.force_login(make_admin())
    return client.get(reverse("overview")).content.decode()
