"""The current login, and logging in without leaving the page."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import authenticate
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.collecting.sheets import body
from annotation.api.collecting.throttles import SheetThrottle
from annotation.api.known_fields import KnownFieldsView
from annotation.errors import Invalid
from annotation.selectors.access import known, takes_part
from annotation.selectors.people.annotators import annotator_in
from annotation.services.accounts.second_factor import factor_passed
from annotation.services.accounts.signing_in import finish


class MeOut(serializers.Serializer[Any]):
    """The logged-in user; `annotator` is the key of their annotator in the given campaign."""

    username = serializers.CharField()
    annotator = serializers.UUIDField(required=False, allow_null=True)


class LoginIn(serializers.Serializer[Any]):
    """A username and password, and a code."""

    username = serializers.CharField()
    password = serializers.CharField(trim_whitespace=False)
    code = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=40,
        help_text="Of the second factor, if the login has one (else code second_factor).",
    )  # fmt: skip


@extend_schema(tags=["sheets"])
class MeRoute(APIView):
    """The logged-in user (empty for people of a panel, whose login is made up), and their annotator
    in a campaign (`?campaign=SLUG`)."""

    of_campaigns = True
    throttle_classes = [SheetThrottle]

    @extend_schema(responses={200: MeOut})
    def get(self, request: Request) -> Response:
        annotator = annotator_in(user=request.user, slug=request.query_params.get("campaign", ""))
        return Response(
            {
                "username": "" if takes_part(user=request.user) else request.user.get_username(),
                "annotator": annotator and str(annotator.key),
            }
        )


@extend_schema(tags=["sheets"])
@method_decorator(csrf_protect, name="dispatch")
class SessionRoute(KnownFieldsView):
    """Log in without leaving the page."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]
    throttle_classes: list[Any] = []  # Failures are counted (services/people/logins.py).

    @extend_schema(request=LoginIn, responses={200: MeOut})
    def post(self, request: Request) -> Response:
        data = body(LoginIn, request)
        code = data.pop("code")
        user = authenticate(request._request, **data)
        if user is None:
            raise Invalid(_("The name or the password is not right."))
        account = known(user)
        second = factor_passed(user=account, code=code, request=request)
        finish(request._request, account, second=second, fresh=True)
        return Response({"username": user.get_username()}, status=status.HTTP_200_OK)


urlpatterns = [
    path("session", SessionRoute.as_view(), name="api-session"),
    path("me", MeRoute.as_view(), name="api-me"),
]
