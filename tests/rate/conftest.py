"""Campaigns for browser tests, on a server that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.live import Site
from tests.proxy import Proxy
from tests.rate.screen import World


@pytest.fixture
def world(shared_site: Site) -> Iterator[Callable[..., World]]:
    """Make a campaign on the shared server: `world(names=("bob", "ben"), items=2)`."""
    proxy = Proxy(shared_site.port)
    yield lambda **options: World(shared_site, proxy, **options)
    proxy.close()
