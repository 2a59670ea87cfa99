"""What the browser tests of scoring share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.live import Site
from tests.live_parts import load_demo


@pytest.fixture(scope="module")
def demo(django_db_blocker: Any) -> Iterator[Site]:
    """The demo with a web server and a worker."""
    site = Site(unblock=django_db_blocker.unblock)
    load_demo(site.data_dir)
    site.start("web")
    site.start("worker")
    yield site
    site.close()
