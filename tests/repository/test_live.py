"""The harness itself: what it starts works, what it kills comes back, what it leaves is nothing."""

from __future__ import annotations

import http.client
import http.server
import threading
from collections.abc import Iterator
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
    # The kernel takes a moment to end the children of what was killed.
    site.until(lambda: processes_of(site) == [], "nothing is left", patience=10)
    assert not Path(site.data_dir).exists()


class Fine(http.server.BaseHTTPRequestHandler):
    """Answers whatever it is asked, and keeps the connection."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[http.server.ThreadingHTTPServer]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Fine) as made:
        thread = threading.Thread(target=made.serve_forever, daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def test_proxy_modes(server: http.server.ThreadingHTTPServer) -> None:
    proxy = Proxy(server.server_port)

    def status(timeout: float = 60) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=timeout)
        try:
            connection.request("GET", "/")
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
