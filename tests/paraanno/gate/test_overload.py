"""Three times as many annotators as saturate a real server: `tools.bench overload`, short."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings

from tests.factories import item_rows
from tests.live import Site
from tools.bench import clients, overload

PEOPLE = 120


@pytest.mark.nightly
@pytest.mark.parametrize(
    "database",
    [
        "sqlite",
        pytest.param("postgresql", marks=pytest.mark.postgres),
    ],
)
def test_under_three_times_the_load_saves_go_on_and_none_is_lost(database, django_db_blocker):
    site = Site(
        database=database,
        environment={"PARAANNO_SECRET_KEY": settings.SECRET_KEY},
        unblock=django_db_blocker.unblock,
    )
    try:
        with site.database():
            everybody = clients.annotators_in(
                "overload", rows=item_rows(2500, 1), clients=PEOPLE + overload.CALM
            )
        site.start("web")
        # In a thread: that of a test before may have the loop of a browser.
        with ThreadPoolExecutor(1) as apart:
            seen = apart.submit(overload.overload, site, everybody, [site.port], 6).result()
    finally:
        site.close()
    # Looser than the goals of the bench: other work shares the cores.
    assert seen.lost == 0 and seen.wrong == []
    assert seen.goodput > 0.5 * seen.best, seen
    assert seen.p99 < 4 and seen.recovery < 10 and seen.probes < 5, seen
