"""Resources: who may use them, and what their page shows."""

import os

import pytest

from scoring.models import WorkerBeat
from scoring.services.workers import heartbeats as workers
from tests.factories import make_admin
from tests.scoring.services.resources.parts import logged_in

pytestmark = pytest.mark.django_db


def test_the_memory_of_workers_is_noted_and_shown_to_administrators(owner):
    workers.beat(queues=[])
    workers.beat(queues=[])
    [memory] = WorkerBeat.objects.values_list("memory", flat=True)
    mine = next(row for row in memory if row["pid"] == os.getpid())
    assert 2**20 < mine["pss"] <= mine["rss"]
    for client, shown in ((logged_in(make_admin()), True), (owner, False)):
        page = client.get("/resources/").content.decode()
        assert ("Proportional share (PSS)" in page) == shown
