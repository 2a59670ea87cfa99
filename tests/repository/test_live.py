"""The harness itself: what it starts works, what it kills comes back, what it leaves is nothing."""

import http.server
import threading
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path

import psutil
import pytest
from django.contrib.auth.models import User

from tests.proxy import Proxy

SITES = [
    pytest.param({}, id="sqlite-filesystem"),
    pytest.param(
        {"database": "postgresql", "broker": "redis"},
        id="postgresql-redis",
        marks=[pytest.mark.postgres, pytest.mark.service("redis"), pytest.mark.nightly],
    ),
]


def processes_of(site):
    found = set()
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get("PARAANNO_DATA_DIR") == str(site.data_dir):
                found.add(process.pid)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("options", SITES)
def test_site_is_healthy_survives_kill_and_leaves_nothing(live_site, options):
    site = live_site(**options)
    site.start("web")
    site.start("worker")
    site.until(lambda: (site.health() or {}).get("status") == "ok", "the worker's beat is seen")
    with site.database():
        User.objects.create_user("alice", password="pass")

    for name in ("web", "worker"):
        main = psutil.Process(site.processes[name].pid)
        children = {one.pid for one in main.children(recursive=True)}
        assert children
        site.kill(name)
        # The children notice by themselves, and give back the port and the tasks.
        site.until(lambda left=children: not left & processes_of(site), f"children of {name} end")
        site.start(name)
    with site.database():
        assert User.objects.get().username == "alice"
    assert site.health()["database"]["ok"]

    if not options:
        site.stop("worker")  # In peace; else it fails.
    site.close()
    # The kernel takes a moment to end the children of what was killed.
    site.until(lambda: not processes_of(site), "nothing is left", patience=10)
    assert not Path(site.data_dir).exists()


class Fine(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # It keeps the connection.

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()


def test_proxy_modes():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Fine) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        proxy = Proxy(server.server_port)

        def status(timeout=60):
            with closing(HTTPConnection("127.0.0.1", proxy.port, timeout=timeout)) as connection:
                connection.request("GET", "/")
                return connection.getresponse().status

        assert status() == 200
        proxy.set("cut")
        with pytest.raises(OSError):
            status()
        for mode in ("mute", "hang"):
            proxy.set(mode)
            with pytest.raises(TimeoutError):
                status(timeout=1)
        proxy.set("open")
        assert status() == 200
        proxy.close()
        server.shutdown()
