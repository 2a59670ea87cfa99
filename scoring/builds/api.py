"""Builds: resources made of other resources."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import logged_in, place_read
from annotation.http.fields import SCOPE_FIELDS, ScopeOut, scope_in
from annotation.http.routes import AtWorkOut, CampaignRoute, Route
from annotation.importing.api import ImportJobOut, ImportReportOut
from annotation.importing.report import ImportReport
from annotation.models import ImportJob
from scoring.building.recipes.recipe import names
from scoring.builds.queries import GENERATED, TEST_SETS, build_get, builds_for
from scoring.builds.services import build_cancel, build_start, paraphrases_import
from scoring.builds.work import test_set_import
from scoring.models import Build, Resource


class BuildOut(ScopeOut, AtWorkOut, serializers.ModelSerializer[Build]):
    """A build and how far it is: `share` of the stage `stage`, which is the `number`-th, and
    `progress` of all. `inputs`
    and `resource`, what it made, are keys of resources, null once these were removed, and for who
    does not see them. Its scope is that of a resource."""

    inputs = serializers.SerializerMethodField()
    resource: serializers.SlugRelatedField[Resource] = serializers.SlugRelatedField(
        slug_field="key", read_only=True, allow_null=True
    )

    class Meta:
        model = Build
        fields = [
            "key",
            "recipe",
            "name",
            "options",
            "inputs",
            "signature",
            *SCOPE_FIELDS,
            "status",
            "stage",
            "number",
            "share",
            "progress",
            "seconds_left",
            "error",
            "resource",
            "created_at",
            "finished_at",
        ]

    def get_inputs(self, build: Build) -> dict[str, UUID | None]:
        return {
            one.role: None if one.resource is None else one.resource.key
            for one in build.inputs.all()
        }


class BuildIn(serializers.Serializer[Any]):
    """A recipe with its options, and the keys of resources by role."""

    recipe = serializers.CharField(max_length=60, help_text=", ".join(names()))
    inputs = serializers.DictField(child=serializers.UUIDField(), help_text="By role, as text.")
    options = serializers.DictField(child=serializers.CharField(), required=False)
    name = serializers.CharField(required=False, max_length=200, help_text="Of the resource.")
    scope = scope_in()


@extend_schema(tags=["resources"])
class BuildsRoute(Route):
    """The builds that the caller sees, newest first."""

    serializer_class = BuildOut

    @extend_schema(responses=BuildOut(many=True))
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(builds_for(user=logged_in(request.user)))
        return self.get_paginated_response(BuildOut(page, many=True).data)

    @extend_schema(request=BuildIn, responses={200: BuildOut, 202: BuildOut})
    def post(self, request: Request) -> Response:
        """Ask for one: 202 if it is new, 200 if the same is active or done already. What is made of
        something of a campaign is that campaign's, whatever `scope` says."""
        user = logged_in(request.user)
        builds_for(user=user, add=True)
        data = self.checked(BuildIn)
        build, new = build_start(
            recipe=data["recipe"],
            inputs=data["inputs"],
            options=data.get("options", {}),
            name=data.get("name", ""),
            place=place_read(user=user, value=data["scope"]),
            actor=user,
        )
        code = status.HTTP_202_ACCEPTED if new else status.HTTP_200_OK
        return Response(BuildOut(build_get(user=user, key=build.key)).data, status=code)


@extend_schema(tags=["resources"])
class OneBuildRoute(Route):
    """One build and how far it is."""

    @extend_schema(responses=BuildOut)
    def get(self, request: Request, key: UUID) -> Response:
        return Response(BuildOut(build_get(user=logged_in(request.user), key=key)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, key: UUID) -> Response:
        """Cancel it; 409 if it is over. For its owner, owners of its campaign, and
        administrators."""
        user = logged_in(request.user)
        build_cancel(build=build_get(user=user, key=key, cancel=True), actor=user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ImportBuiltIn(serializers.Serializer[Any]):
    """The key of a build that made items: a test set, or paraphrases by nearest words."""

    build = serializers.UUIDField()
    dry_run = serializers.BooleanField(default=False)


@extend_schema(tags=["imports"])
class ImportBuiltRoute(CampaignRoute):
    """Import the items that a build made, as their file would be."""

    read_right = "research"

    @extend_schema(
        request=ImportBuiltIn,
        responses={200: ImportReportOut, 201: ImportReportOut, 202: ImportJobOut},
    )
    def post(self, request: Request, slug: str) -> Response:
        """201 if something was written, 200 for a dry run or nothing new, 202 for a large one,
        which a worker imports (without its dry run); 422 for errors."""
        data, user = self.checked(ImportBuiltIn), logged_in(request.user)
        build = build_get(user=user, key=data["build"], campaign=self.campaign)
        about: dict[str, Any] = {"campaign": self.campaign, "build": build, "actor": user}
        if build.recipe == TEST_SETS.name:
            report = test_set_import(**about, dry_run=data["dry_run"])
        else:
            build = GENERATED.get(user=user, campaign=self.campaign, key=data["build"])
            made = paraphrases_import(**about, dry_run=data["dry_run"])
            if not isinstance(made, ImportReport):
                out = ImportJobOut(made).data if isinstance(made, ImportJob) else None
                return Response(out, status=status.HTTP_202_ACCEPTED)
            report = made
        code: int = status.HTTP_200_OK if report.batch is None else status.HTTP_201_CREATED
        if not report.ok:
            code = status.HTTP_422_UNPROCESSABLE_ENTITY
        return Response(ImportReportOut(report).data, status=code)
