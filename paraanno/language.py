"""The language of a request."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers


class LanguageMiddleware(LocaleMiddleware):
    """Choose by the footer's cookie, otherwise by the browser; responses vary by both."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        answer = super().process_response(request, response)
        patch_vary_headers(answer, ["Cookie"])
        return answer
