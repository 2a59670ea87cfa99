"""Error pages, for people and for programs, and the headers of every answer."""

from unittest import mock

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_unknown_page_is_a_page_for_people_and_json_for_programs(client):
    page = client.get("/no/such/page")
    assert page.status_code == 404
    assert "<h1>Page not found</h1>" in page.content.decode()
    assert page["Content-Type"].startswith("text/html")
    answer = client.get("/api/v1/no-such-thing")
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/healthz"])
def test_server_error_tells_nothing_but_that(path, settings):
    secret = "the reason is nobody's business"
    client = Client(raise_request_exception=False)
    target = "django.contrib.sessions.middleware.SessionMiddleware.process_request"
    with mock.patch(target, side_effect=RuntimeError(secret)):
        answer = client.get(path)
    assert answer.status_code == 500
    assert secret not in answer.content.decode()
    if path.startswith("/api/"):
        assert answer.json()["code"] == "server_error"
    else:
        assert "<h1>Server error</h1>" in answer.content.decode()


def test_host_that_is_not_ours_is_refused(client):
    answer = client.get("/healthz/", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert "evil" not in answer.content.decode()


@pytest.mark.parametrize("path", ["/accounts/login/", "/no/such/page", "/healthz"])
def test_every_answer_carries_the_strict_headers(client, path):
    answer = client.get(path)
    policy = answer["Content-Security-Policy"]
    for part in ("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'"):
        assert part in f"{policy};"
    assert "unsafe" not in policy
    strict = {
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    assert strict.items() <= dict(answer.items()).items()
    assert {"camera=()", "geolocation=()"} <= set(answer["Permissions-Policy"].split(", "))
