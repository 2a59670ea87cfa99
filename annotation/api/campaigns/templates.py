"""A campaign as a template, saved templates, and copies of a campaign."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.campaign_route import CampaignRoute, Route
from annotation.api.scope import ScopeIn, scope_in
from annotation.api.serializers import CampaignDetailOut
from annotation.exporters import write_template
from annotation.importers.yaml_lines import MOST_BYTES
from annotation.selectors.access import creator, known
from annotation.selectors.campaigns.template import template_of
from annotation.selectors.campaigns.templates import saved_get, template_offered, templates_offered
from annotation.selectors.scope import place_read, refuse_move, refuse_removal
from annotation.services.campaigns.copying import campaign_copy
from annotation.services.campaigns.template_apply import template_apply
from annotation.services.campaigns.template_changes import changes_digest, template_changes
from annotation.services.campaigns.template_check import template_read
from annotation.services.campaigns.templates import (
    saved_template_add,
    saved_template_move,
    saved_template_remove,
    template_ok,
)


class TemplateOut(serializers.Serializer[Any]):
    template = serializers.CharField(help_text="YAML; see docs/templates.md.")


class TemplateIn(serializers.Serializer[Any]):
    template = serializers.CharField(max_length=MOST_BYTES, trim_whitespace=False)
    apply = serializers.BooleanField(
        default=False, help_text="Make the changes; else they are told, and nothing is changed."
    )
    seen = serializers.CharField(
        required=False, max_length=64,
        help_text="With apply: the digest of the changes that were told; others are refused.",
    )  # fmt: skip


class TemplateChangeOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()
    refused = serializers.CharField(help_text="Why it is not possible any more; empty: it is.")


class TemplateChangesOut(serializers.Serializer[Any]):
    """The changes that a template makes, or would make."""

    changes = TemplateChangeOut(many=True)
    digest = serializers.CharField()
    applied = serializers.BooleanField()


class OfferedOut(serializers.Serializer[Any]):
    """A template that a campaign may start from: `template` of `POST /campaigns`."""

    name = serializers.SlugField()
    label = serializers.CharField()  # type: ignore[assignment]
    site = serializers.BooleanField(help_text="Whether somebody saved it on this site.")
    key = serializers.UUIDField(allow_null=True, help_text="Of a saved one.")
    scope = serializers.CharField(help_text="Of a saved one: mine, campaign or site.")


class OneOfferedOut(OfferedOut):
    template = serializers.CharField(help_text="YAML; see docs/templates.md.")


class OfferedIn(serializers.Serializer[Any]):
    name = serializers.SlugField(max_length=60)
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=200, required=False, allow_blank=True
    )
    template = serializers.CharField(max_length=MOST_BYTES, trim_whitespace=False)
    scope = scope_in()


class CopyIn(serializers.Serializer[Any]):
    slug = serializers.SlugField(max_length=60)
    name = serializers.CharField(max_length=200, required=False, allow_blank=True)
    texts = serializers.BooleanField(default=False, help_text="With its items and texts.")
    people = serializers.BooleanField(default=False, help_text="With its members.")


@extend_schema(tags=["campaigns"])
class TemplateRoute(CampaignRoute):
    """The campaign as a template: settings, questions and rules, no texts, no people."""

    read_right = "research"
    serializer_class = TemplateOut

    def get(self, request: Request, slug: str) -> Response:
        return Response({"template": write_template(template_of(campaign=self.campaign))})

    @extend_schema(request=TemplateIn, responses=TemplateChangesOut)
    def put(self, request: Request, slug: str) -> Response:
        """Show what the template would change, or change it. Nothing is changed if a part may not
        be changed any more."""
        given = self.checked(TemplateIn)
        template = template_ok(template_read(data=given["template"].encode(), name="template"))
        changes = template_changes(campaign=self.campaign, template=template)
        if given["apply"]:
            changes = template_apply(
                campaign=self.campaign, template=template, actor=known(request.user),
                seen=given.get("seen"),
            )  # fmt: skip
        told = {"changes": changes, "digest": changes_digest(changes), "applied": given["apply"]}
        return Response(TemplateChangesOut(told).data)


@extend_schema(tags=["campaigns"])
class CopiesRoute(CampaignRoute):
    """Copies of the campaign."""

    serializer_class = CampaignDetailOut

    @extend_schema(request=CopyIn, responses={201: CampaignDetailOut})
    def post(self, request: Request, slug: str) -> Response:
        """Copy the campaign into a new draft; the caller, who needs the right to create campaigns,
        becomes its owner."""
        actor = creator(user=request.user)
        copy = campaign_copy(campaign=self.campaign, actor=actor, **self.checked(CopyIn))
        return Response(CampaignDetailOut(copy).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["templates"])
class SavedTemplatesRoute(Route):
    """The templates that those who may create campaigns may start from."""

    serializer_class = OfferedOut
    pagination_class = None

    @extend_schema(responses=OfferedOut(many=True))
    def get(self, request: Request) -> Response:
        """Return those of the application, in English and Korean, and the saved ones they see."""
        user = creator(user=request.user)
        return Response(OfferedOut(templates_offered(user=user), many=True).data)

    @extend_schema(request=OfferedIn, responses={201: OneOfferedOut})
    def post(self, request: Request) -> Response:
        """Save a template."""
        user = creator(user=request.user)
        given = self.checked(OfferedIn)
        row = saved_template_add(
            name=given["name"], label=given.get("label", ""), text=given["template"],
            place=place_read(user=user, value=given["scope"]), actor=user,
        )  # fmt: skip
        found = template_offered(user=user, name=str(row.key))
        return Response(OneOfferedOut(found).data, status=status.HTTP_201_CREATED)


@extend_schema(tags=["templates"])
class OneSavedTemplateRoute(Route):
    """One of these templates, by its name or key."""

    serializer_class = OneOfferedOut

    def get(self, request: Request, template: str) -> Response:
        user = creator(user=request.user)
        return Response(OneOfferedOut(template_offered(user=user, name=template)).data)

    @extend_schema(request=ScopeIn, responses=OneOfferedOut)
    def patch(self, request: Request, template: str) -> Response:
        """Change who may use a saved template; for its owner, and administrators."""
        user = creator(user=request.user)
        row = saved_get(user=user, name=template)
        refuse_move(row=row, user=user)
        place = place_read(user=user, value=self.checked(ScopeIn)["scope"])
        saved_template_move(template=row, place=place, actor=user)
        return Response(OneOfferedOut(template_offered(user=user, name=str(row.key))).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, template: str) -> Response:
        """Remove a saved template; for its owner, owners of its campaign, and administrators.
        Campaigns stay as they are."""
        user = creator(user=request.user)
        row = saved_get(user=user, name=template)
        refuse_removal(row=row, user=user)
        saved_template_remove(template=row, actor=user)
        return Response(status=status.HTTP_204_NO_CONTENT)
