"""The harness itself: what it starts works, what it kills comes back, what it leaves is nothing."""

from __future__ import annotations

import http.client
from pathlib import Path

import psutil
import pytest

from tests.live import Site
from tests.proxy import Proxy

SITES = [
    pytest.param({}, id="sqlite-filesystem"),
    pytest.param(
        {"database": "postgresql", "broker": "redis"},
        id="postgresql-redis",
        marks=[pytest.mark.postgres, pytest.mark.service("redis")],
    ),
    pytest.param(
        {"broker": "rabbitmq"}, id="sqlite-rabbitmq", marks=pytest.mark.service("rabbitmq")
    ),
]


def processes_of(site: Site) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("PARAANNO_DATA_DIR") == str(site.data_dir):
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


@pytest.mark.parametrize("options", SITES)
def test_site_is_healthy_survives_kill_and_leaves_nothing(live_site, options) -> None:
    from django.contrib.auth.models import User

    site = live_site(**options)
    site.start("web")
    site.start("worker")
    site.until(lambda: (site.health() or {}).get("status") == "ok", "the worker's beat is seen")
    with site.database():
        User.objects.create_user("alice", password="pass")

    for name in ("web", "worker"):
        of_it = psutil.Process(site.processes[name].pid).children(recursive=True)
        children = {one.pid for one in of_it}
        assert children
        site.kill(name)
        # The children notice by themselves, and give back the port and the tasks.
        site.until(
            lambda left=children: not left & {one.pid for one in processes_of(site)},
            f"children of {name} end",
        )
        site.start(name)
    with site.database():
        assert User.objects.get().username == "alice"
    assert site.health()["database"]["ok"]

    if not options:
        site.stop("worker")  # In peace; else it fails.
    site.close()
    assert processes_of(site) == []
    assert not Path(site.data_dir).exists()


def test_proxy_modes(live_site) -> None:
    site = live_site()
    site.start("web")
    proxy = Proxy(site.port)

    def status(timeout: float = 60) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=timeout)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status
        finally:
            connection.close()

    assert status() == 200
    proxy.set("cut")
    with pytest.raises(OSError):
        status()
    proxy.set("mute")
    with pytest.raises(TimeoutError):
        status(timeout=1)
    proxy.set("hang")
    with pytest.raises(TimeoutError):
        status(timeout=1)
    proxy.set("open")
    assert status() == 200
    proxy.close()


@pytest.mark.browser
def test_chromium_shows_a_page(live_site, page) -> None:
    site = live_site()
    site.start("web")
    page.goto(f"{site.url}/healthz")
    assert '"database"' in page.content()
