"""Who is logged in, and logging in without leaving the page."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import authenticate, login
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from annotation.api.sheets import body
from annotation.api.throttles import SheetThrottle
from annotation.models import Annotator
from annotation.selectors.access import known
from annotation.services.errors import Invalid


class MeOut(serializers.Serializer[Any]):
    """Who is logged in; `annotator` is the key of their voice in the campaign asked for."""

    username = serializers.CharField()
    annotator = serializers.UUIDField(required=False, allow_null=True)


class LoginIn(serializers.Serializer[Any]):
    """A user's name and password."""

    username = serializers.CharField()
    password = serializers.CharField(trim_whitespace=False)


@extend_schema(tags=["sheets"])
class Me(APIView):
    """Who is logged in, and with which voice in a campaign (`?campaign=SLUG`)."""

    throttle_classes = [SheetThrottle]

    @extend_schema(responses={200: MeOut})
    def get(self, request: Request) -> Response:
        voice = Annotator.objects.filter(
            user=known(request.user), campaign__slug=request.query_params.get("campaign", "")
        ).first()
        return Response(
            {"username": request.user.get_username(), "annotator": voice and str(voice.key)}
        )


@extend_schema(tags=["sheets"])
@method_decorator(csrf_protect, name="dispatch")
class Session(APIView):
    """Log in without leaving the page."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "login"

    @extend_schema(request=LoginIn, responses={200: MeOut})
    def post(self, request: Request) -> Response:
        data = body(LoginIn, request)
        user = authenticate(request._request, **data)
        if user is None:
            raise Invalid(_("The name or the password is not right."))
        login(request._request, user)
        return Response({"username": user.get_username()}, status=status.HTTP_200_OK)


urlpatterns = [
    path("session", Session.as_view(), name="api-session"),
    path("me", Me.as_view(), name="api-me"),
]
