"""A real server whose places are taken."""

import contextlib
import http.client
import json
import socket
import time

import pytest

from tests.live import Site

pytestmark = pytest.mark.slow
SHEET = "/api/v1/sheets/9a0dc1f6-0000-4000-8000-000000000000"


@pytest.fixture(scope="module")
def server():
    site = Site(environment={"PARAANNO_WEB_THREADS": "2"})
    try:
        site.start("web")
        yield site
    finally:
        site.close()


@contextlib.contextmanager
def held(site, *paths):
    """Requests for these addresses whose bodies do not come: each has a place."""
    with contextlib.ExitStack() as stack:
        for path in paths:
            one = stack.enter_context(socket.create_connection(("127.0.0.1", site.port)))
            one.sendall(
                f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
                "Content-Type: application/x-www-form-urlencoded\r\n"
                "Cookie: csrftoken={0}\r\n\r\n".format("t" * 32).encode()
            )
        time.sleep(0.5)
        yield


def connected(site):
    return contextlib.closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=20))


def ask(site, path, connection=None, **headers):
    """Returns the status, the headers, the body and the seconds."""
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        connection = connection or stack.enter_context(connected(site))
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read(), time.monotonic() - began


def test_no_request_holds_what_is_asked_about_health(server):
    with held(server, "/accounts/login/", "/accounts/login/", "/accounts/login/", "/c/none/"):
        for path in ("/healthz", "/readyz"):
            status, _, body, took = ask(server, path)
            assert status == 200 and json.loads(body)["database"]["ok"] and took < 3


def test_what_waits_longer_than_its_sender_is_refused_and_told_when_to_come(server):
    with connected(server) as connection:
        with held(server, "/accounts/login/"):
            patience = {"X-Paraanno-Patience": "300"}
            status, headers, body, took = ask(server, SHEET, connection, **patience)
            assert (status, json.loads(body)["code"]) == (503, "busy") and 0.3 <= took < 3
            assert int(headers["Retry-After"]) >= 1 and headers["Cache-Control"] == "no-store"
            # A page of researchers has the place that is left to them.
            assert ask(server, "/campaigns/")[0] == 302
        # The connection was kept, and what comes on it next is answered.
        assert ask(server, SHEET, connection)[0] == 401


def test_people_get_a_page_in_their_language_that_loads_itself_again(server):
    with held(server, "/accounts/login/"):
        status, headers, body, _ = ask(
            server,
            "/rate/camp/",
            **{"Accept": "text/html", "Accept-Language": "de", "X-Paraanno-Patience": "1"},
        )
    assert status == 503 and headers["Refresh"] == headers["Retry-After"]
    assert "Die Website ist ausgelastet" in body.decode() and '<html lang="de"' in body.decode()
    assert "default-src 'none'" in headers["Content-Security-Policy"]


def test_a_refused_request_that_is_not_all_there_ends_its_connection(server):
    with (
        held(server, "/accounts/login/"),
        socket.create_connection(("127.0.0.1", server.port), timeout=20) as one,
    ):
        one.sendall(
            f"PUT {SHEET} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000\r\n"
            "X-Paraanno-Patience: 1\r\n\r\n{".encode()
        )
        answer = b""
        while part := one.recv(4096):
            answer += part
    assert answer.startswith(b"HTTP/1.1 503") and b"Connection: close" in answer


def test_a_process_that_was_frozen_carries_out_nothing_that_nobody_waits_for(server):
    """The requests wait in the kernel, which knows since when."""
    import psutil

    processes = psutil.Process(server.processes["web"].pid).children()
    with connected(server) as hasty, connected(server) as patient:
        for one in processes:
            one.suspend()
        try:
            hasty.request("GET", SHEET, headers={"X-Paraanno-Patience": "500"})
            patient.request("GET", SHEET, headers={"X-Paraanno-Patience": "20000"})
            time.sleep(1.2)
        finally:
            for one in processes:
                one.resume()
        assert [one.getresponse().status for one in (hasty, patient)] == [503, 401]
