"""The language of a request."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin


class LanguageMiddleware(MiddlewareMixin):
    """Choose by the footer's cookie, otherwise by the browser; responses vary by both.

    Django's own also looks for a language at the beginning of each address, where here is none.
    """

    def process_request(self, request: HttpRequest) -> None:
        language = translation.get_language_from_request(request)
        translation.activate(language)
        request.LANGUAGE_CODE = language

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        response.headers.setdefault("Content-Language", translation.get_language())
        return response
