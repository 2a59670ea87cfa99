"""Writers wait for each other, and what fails leaves nothing."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from annotation.database import short_write
from annotation.models import Campaign
from tests.factories import make_campaign

THREADS = 8


@pytest.mark.django_db(transaction=True)
def test_threads_queue_and_none_is_refused():
    """Each adds 1 to what it read: a lost update or a locked database would be seen."""
    campaign = make_campaign(items=1, open_it=False)
    start = threading.Barrier(THREADS)

    def add():
        try:
            start.wait()
            with short_write():
                row = Campaign.objects.select_for_update().get(pk=campaign.pk)
                row.annotators_per_sheet += 1
                row.save()
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(add) for _ in range(THREADS)]:
            done.result()
    before = campaign.annotators_per_sheet
    campaign.refresh_from_db()
    assert campaign.annotators_per_sheet == before + THREADS


def test_what_fails_leaves_nothing_also_inside_another():
    campaign = make_campaign(items=1, open_it=False)
    with transaction.atomic():
        with pytest.raises(ZeroDivisionError), short_write():
            Campaign.objects.filter(pk=campaign.pk).update(name="half")
            _ = 1 / 0
        with short_write():
            Campaign.objects.filter(pk=campaign.pk).update(description="whole")
    campaign.refresh_from_db()
    assert (campaign.name, campaign.description) == ("Camp", "whole")
