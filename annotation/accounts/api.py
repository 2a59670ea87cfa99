"""The current login, and logging in without leaving the page."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth import authenticate
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.authentication import BaseAuthentication
from rest_framework.authtoken.serializers import AuthTokenSerializer
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from annotation.access import annotator_in, logged_in, takes_part
from annotation.accounts.login import factor_passed, tokens_of
from annotation.accounts.tokens import finish, token_make, token_revoke, tokens_revoke
from annotation.errors import Invalid
from annotation.http.routes import KnownFieldsView, Route, SheetThrottle
from annotation.models import ApiToken


class MeOut(serializers.Serializer[Any]):
    """The logged-in user; `annotator` is the key of their annotator in the given campaign."""

    username = serializers.CharField()
    annotator = serializers.UUIDField(required=False, allow_null=True)


class LoginIn(serializers.Serializer[Any]):
    """A username and password, and a code."""

    username = serializers.CharField()
    password = serializers.CharField(trim_whitespace=False)
    code = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=40,
        help_text="Of the second factor, if the login has one (else code second_factor).",
    )


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
    throttle_classes: list[Any] = []  # Failures are counted (annotation/accounts/login.py).

    @extend_schema(request=LoginIn, responses={200: MeOut})
    def post(self, request: Request) -> Response:
        data = self.checked(LoginIn)
        code = data.pop("code")
        user = authenticate(request._request, **data)
        if user is None:
            raise Invalid(_("The name or the password is not right."))
        account = logged_in(user)
        second = factor_passed(user=account, code=code, request=request)
        finish(request._request, account, second=second, fresh=True)
        return Response({"username": user.get_username()}, status=status.HTTP_200_OK)


urlpatterns = [
    path("session", SessionRoute.as_view(), name="api-session"),
    path("me", MeRoute.as_view(), name="api-me"),
]


# API tokens for programs.


class TokenIn(AuthTokenSerializer):
    label = serializers.CharField(  # type: ignore[assignment]
        required=False, max_length=60, default="", allow_blank=True, help_text="What it is for."
    )
    days = serializers.IntegerField(
        required=False, min_value=1, help_text="How long it lasts; at most PARAANNO_TOKEN_DAYS."
    )
    scope = serializers.ChoiceField(
        list(ApiToken.Scope)[1:],
        required=False,
        help_text="What it may do in campaigns; without one: all that its owner may do.",
    )
    campaigns = serializers.ListField(
        child=serializers.SlugField(),
        required=False,
        max_length=200,
        help_text="Short names of those that a token with a scope reaches; without: all.",
    )
    code = serializers.CharField(
        required=False,
        max_length=40,
        default="",
        allow_blank=True,
        help_text="Of the second factor, if the login has one (else code second_factor).",
    )


class NewTokenOut(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="Shown this once.")
    key = serializers.UUIDField(help_text="What it is revoked by.")
    expires_at = serializers.DateTimeField()


class TokenOut(serializers.ModelSerializer[ApiToken]):
    """`scope` is empty for one that may do all that you may; `campaigns` are those that it reaches,
    null for all."""

    campaigns = serializers.SerializerMethodField()

    class Meta:
        model = ApiToken
        fields = [
            "key",
            "label",
            "scope",
            "campaigns",
            "created_at",
            "expires_at",
            "used_at",
        ]

    def get_campaigns(self, token: ApiToken) -> list[str] | None:
        return None if token.everywhere else [one.slug for one in token.campaigns.all()]


class TokenRoute(Route):
    """Send a token as the header `Authorization: Token ...` or `Bearer ...`; its text is shown
    once."""

    pagination_class = None

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Skip authentication on POST: the request may carry an old token or an expired session."""
        asks = self.request is not None and self.request.method == "POST"
        return [] if asks else super().get_authenticators()

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method == "POST" else IsAuthenticated()]

    def get_throttles(self) -> list[BaseThrottle]:
        """None on POST: failures are counted (annotation/accounts/login.py)."""
        return [] if self.request.method == "POST" else super().get_throttles()

    @extend_schema(request=TokenIn, responses=NewTokenOut, auth=[], tags=["token"])
    def post(self, request: Request) -> Response:
        """Create a token, given a name and password, and a code where there is a second factor."""
        form = TokenIn(data=request.data, context={"request": request})
        form.is_valid(raise_exception=True)
        data: Any = form.validated_data
        factor_passed(request=request, user=data["user"], code=data["code"])
        wanted = {name: data[name] for name in ("days", "scope", "campaigns") if name in data}
        token, text = token_make(user=data["user"], label=data["label"], by_program=True, **wanted)
        payload = {"token": text, "key": token.key, "expires_at": token.expires_at}
        return Response(NewTokenOut(payload).data)

    @extend_schema(responses=TokenOut(many=True), tags=["token"])
    def get(self, request: Request) -> Response:
        """List your tokens, without their texts."""
        return Response(TokenOut(tokens_of(user=logged_in(request.user)), many=True).data)

    @extend_schema(
        operation_id="v1_token_destroy_all", request=None, responses={204: None}, tags=["token"]
    )
    def delete(self, request: Request) -> Response:
        """Revoke all your tokens: they stop working immediately, on every machine that has them."""
        tokens_revoke(user=logged_in(request.user))
        return Response(status=status.HTTP_204_NO_CONTENT)


class OneTokenRoute(Route):
    """One of your tokens."""

    @extend_schema(request=None, responses={204: None}, tags=["token"])
    def delete(self, request: Request, key: UUID) -> Response:
        """Revoke one token."""
        token_revoke(user=logged_in(request.user), key=key)
        return Response(status=status.HTTP_204_NO_CONTENT)
