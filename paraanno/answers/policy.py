"""What a page may load: the Content-Security-Policy of every answer, and the other headers."""

from __future__ import annotations

from collections.abc import Callable

from csp.constants import HEADER
from csp.middleware import CSPMiddleware, PolicyParts
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from paraanno.answers.headers import FURTHER


class PolicyMiddleware(CSPMiddleware):
    """django-csp's, which puts the same text together twice for each answer: made once here, for
    all answers that no view gives a policy of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self.policy = build_policy()

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        for name, value in FURTHER.items():
            response.headers.setdefault(name, value)
        own = (
            self.get_policy_parts(request, response),
            self.get_policy_parts(request, response, True),
        )
        exempt = getattr(response, "_csp_exempt", False)
        if own != (PolicyParts(), PolicyParts()) or exempt or settings.DEBUG:
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, self.policy)
        return response
