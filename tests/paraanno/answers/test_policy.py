"""The Content-Security-Policy: that of the settings, or a view's own."""

import pytest
from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.http import HttpResponse
from django.test import RequestFactory

from paraanno.http.errors import PolicyMiddleware


@pytest.mark.parametrize(
    "own",
    [
        {},
        {"_csp_update": {"style-src": ["'unsafe-inline'"]}},
        {"_csp_replace": {"frame-ancestors": ["'self'"]}},
        {"_csp_exempt": True},
    ],
)
def test_each_answer_has_the_policy_that_django_csp_gives_it(own):
    def view(request):
        response = HttpResponse()
        vars(response).update(own)
        return response

    request = RequestFactory().get("/")
    ours, theirs = PolicyMiddleware(view)(request), CSPMiddleware(view)(request)
    assert ours.headers.get(HEADER) == theirs.headers.get(HEADER)
    assert (HEADER in ours.headers) != bool(own.get("_csp_exempt"))


def test_a_policy_that_the_answer_brings_stays():
    answer = PolicyMiddleware(lambda request: HttpResponse(headers={HEADER: "default-src x"}))
    assert answer(RequestFactory().get("/"))[HEADER] == "default-src x"
