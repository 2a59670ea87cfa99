"""A server for the browser tests of this folder, shared as long as no test kills it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.live import Site
from tests.proxy import Proxy
from tests.rate.screen import World


@pytest.fixture(scope="module")
def shared_site(request: pytest.FixtureRequest, django_db_blocker: Any) -> Iterator[Site]:
    site = Site(database=getattr(request, "param", "sqlite"), unblock=django_db_blocker.unblock)
    site.start("web")
    yield site
    site.close()


@pytest.fixture
def world(shared_site: Site) -> Iterator[Callable[..., World]]:
    """Make a campaign on the shared server: `world(names=("bob", "ben"), items=2)`."""
    proxy = Proxy(shared_site.port)
    yield lambda **options: World(shared_site, proxy, **options)
    proxy.close()
