"""What the browser tests of scoring share."""

import pytest

from tests.live import Site
from tests.live_parts import load_demo


@pytest.fixture(scope="session")
def demo(django_db_blocker):
    """The demo with a web server and a worker, which one process uses (TOGETHER in conftest.py)."""
    site = Site(unblock=django_db_blocker.unblock)
    load_demo(site.data_dir)
    site.start("web")
    site.start("worker")
    yield site
    site.close()
