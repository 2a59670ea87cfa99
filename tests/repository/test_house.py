"""How many files somebody opens who follows a request: none more without a reason."""

import pytest
from django.core.cache import cache

from scoring.models import Report
from tests.annotation.place import Place
from tests.clients import client_of
from tests.scoring.hand import hand_campaign
from tools import house

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.once]
# Files of ours, templates. Of a chart, one hands it over as a file (scoring/chart_files.py).
AGREEMENT, SAVED = (53, 20), (25, 0)


def test_files_of_an_agreement_page_that_is_computed():
    hand_campaign()
    alice = client_of("alice")

    def page():
        answer = alice.get("/c/hand/agreement/")
        assert answer.status_code == 200 and Report.objects.filter(status="done").exists()

    page()
    Report.objects.all().delete()
    cache.clear()
    files, templates = house.ran(page)
    assert len(files) <= AGREEMENT[0] and len(templates) <= AGREEMENT[1], sorted(files)


def test_files_of_a_saved_sheet():
    place = Place(items=3)

    def save():
        answer = place.whole(place.answers(), state="done", next=True)
        assert answer.status_code == 200

    save()
    second = Place(items=3, slug="second")
    files, templates = house.ran(
        lambda: second.whole(second.answers(), state="done", next=True).json()
    )
    assert len(files) <= SAVED[0] and len(templates) <= SAVED[1], sorted(files)
