"""Static files, which whitenoise answers by itself, have the header too."""

import pytest
from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.http import HttpResponse
from django.test import RequestFactory
from whitenoise import WhiteNoise

from paraanno.http.errors import NOT_USED, PolicyMiddleware


def test_pages_of_other_sites_load_no_static_file(tmp_path, settings):
    (tmp_path / "a.css").write_text("a {}")
    add = settings.WHITENOISE_ADD_HEADERS_FUNCTION
    served = WhiteNoise(None, root=tmp_path, add_headers_function=add)
    answer = served.files["/a.css"].get_response("GET", {})
    if answer.file is not None:
        answer.file.close()
    headers = dict(answer.headers)
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_what_pages_use_is_not_taken_away():
    assert not {"clipboard-write", "fullscreen", "publickey-credentials-get"} & set(NOT_USED)


# The Content-Security-Policy: that of the settings, or a view's own.


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
