"""Files that metrics need, for programs; and large uploads, streamed to disk while their size and
SHA-256 are computed.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import SkipFile, TemporaryFileUploadHandler
from django.http import FileResponse, HttpRequest
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import logged_in, place_read, refuse_move
from annotation.errors import Invalid, NotAllowed
from annotation.http.fields import SCOPE_FIELDS, ScopeIn, ScopeOut, scope_in
from annotation.http.routes import AtWorkOut, Route
from paraanno.jobs.engine import NO_ROOM
from paraanno.template_filters import translated
from scoring.metrics.resources.kinds import kinds
from scoring.models import Resource
from scoring.resources.queries import built_file, names_server_files, resource_get, resources_for
from scoring.resources.services import (
    resource_from_server,
    resource_move,
    resource_remove,
    resource_upload,
    too_large,
)

FIELD = "file"


class ResourceUpload(TemporaryFileUploadHandler):
    """Handle the form field `file` only. After parsing, `problem` gives the reason if there is no
    file, and `digest` is the file's SHA-256. The rest of a refused file is read and discarded, so
    that the browser receives the response."""

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self.problem = ""
        self.digest = ""
        self._hash = hashlib.sha256()
        self._size = 0

    def new_file(self, field_name: str, *args: Any, **options: Any) -> None:
        if field_name != FIELD:
            raise SkipFile
        try:
            super().new_file(field_name, *args, **options)
        except OSError:
            self._refuse(translated(NO_ROOM))
        self._hash, self._size = hashlib.sha256(), 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self._size += len(raw_data)
        if self._size > settings.RESOURCE_MAX_BYTES:
            self._refuse(too_large())
        self._hash.update(raw_data)
        try:
            self.file.write(raw_data)
        except OSError:
            self._refuse(translated(NO_ROOM))

    def file_complete(self, file_size: int) -> UploadedFile | None:
        try:
            self.file.flush()
        except OSError:
            self.problem = translated(NO_ROOM)
            self._discard()
            return None
        self.digest = self._hash.hexdigest()
        done = super().file_complete(file_size)
        del self.file  # Otherwise it would be closed, and so removed, when a later file is refused.
        return done

    def _refuse(self, why: str) -> None:
        self.problem = why
        self._discard()
        raise SkipFile

    def _discard(self) -> None:
        """Close and remove what was received; closing tries to write once more and fails."""
        if hasattr(self, "file"):
            with suppress(OSError):
                self.file.close()
            del self.file


# Routes.


class ResourceOut(ScopeOut, AtWorkOut, serializers.ModelSerializer[Resource]):
    """A file and the state of its check, which has run since `started_at`; `meta` holds counts of
    its content, `error` one line per problem. `campaign` is the short name of that whose it is, if
    that is its scope; what is `bound` came from its texts, and its scope never changes."""

    class Meta:
        model = Resource
        fields = [
            "key",
            "kind",
            "name",
            "file_name",
            "sha256",
            "size",
            *SCOPE_FIELDS,
            "status",
            "progress",
            "seconds_left",
            "error",
            "meta",
            "created_at",
            "started_at",
        ]


class ResourceIn(serializers.Serializer[Any]):
    """Either a file, or (for administrators) the path of one in the server's folder."""

    kind = serializers.CharField(help_text=", ".join(kinds()))
    name = serializers.CharField(required=False, max_length=200, help_text="Default: the file's.")
    scope = scope_in()
    path = serializers.CharField(required=False, max_length=1000)
    file = serializers.FileField(required=False, allow_empty_file=True)


@extend_schema(tags=["resources"])
class ResourcesRoute(Route):
    """The resources (files that metrics need) that the caller sees: their own, those of campaigns
    in which they research, and the site's."""

    serializer_class = ResourceOut
    parser_classes = [MultiPartParser]

    def initialize_request(self, request: HttpRequest, *args: Any, **options: Any) -> Request:
        """Before parsing, set up uploads to disk with a size limit."""
        self.upload = ResourceUpload()
        request.upload_handlers = [self.upload]
        return super().initialize_request(request, *args, **options)

    def initial(self, request: Request, *args: Any, **options: Any) -> None:
        super().initial(request, *args, **options)
        resources_for(user=logged_in(request.user), add=request.method == "POST")

    @extend_schema(responses=ResourceOut(many=True))
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(resources_for(user=logged_in(request.user)))
        return self.get_paginated_response(ResourceOut(page, many=True).data)

    @extend_schema(
        request={"multipart/form-data": ResourceIn},
        responses={200: ResourceOut, 202: ResourceOut},
    )
    def post(self, request: Request) -> Response:
        """Add a file: 202 while a worker checks it, 200 if it already exists. In a form with
        several fields, the file comes last."""
        data = self.checked(ResourceIn)
        if self.upload.problem:
            raise Invalid(self.upload.problem)
        file, path = data.get("file"), data.get("path", "")
        if (file is None) == (not path):
            raise Invalid(_("Send a file, or name one on the server, not both."))
        user = logged_in(request.user)
        about: dict[str, Any] = {
            "kind": data["kind"],
            "name": data.get("name", ""),
            "actor": user,
            "place": place_read(user=user, value=data["scope"]),
        }
        if file is None:
            if not names_server_files(user=user):
                raise NotAllowed(_("Only administrators name files of the server."))
            resource, queued = resource_from_server(path=path, **about)
        else:
            resource, queued = resource_upload(
                file=Path(file.temporary_file_path()),
                digest=self.upload.digest,
                file_name=file.name,
                **about,
            )
        code = status.HTTP_202_ACCEPTED if queued else status.HTTP_200_OK
        return Response(ResourceOut(resource).data, status=code)


@extend_schema(tags=["resources"])
class ResourceFileRoute(Route):
    """The plain file of a resource that was built: what an importer of its kind takes."""

    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.BINARY})
    def get(self, request: Request, key: UUID) -> FileResponse:
        """404 for one that was not built here, or that the caller does not see."""
        resource = resource_get(user=logged_in(request.user), key=key)
        path = built_file(resource=resource)
        return FileResponse(
            path.open("rb"),
            as_attachment=True,
            filename=f"{resource.kind}{path.suffix}",
            content_type="text/plain; charset=utf-8",
        )


@extend_schema(tags=["resources"])
class OneResourceRoute(Route):
    """One resource and the progress of its check."""

    @extend_schema(responses=ResourceOut)
    def get(self, request: Request, key: UUID) -> Response:
        return Response(ResourceOut(resource_get(user=logged_in(request.user), key=key)).data)

    @extend_schema(request=ScopeIn, responses=ResourceOut)
    def patch(self, request: Request, key: UUID) -> Response:
        """Change who may use it; 409 for what came from texts of a campaign. For its owner, and
        administrators."""
        user = logged_in(request.user)
        resource = resource_get(user=user, key=key)
        refuse_move(row=resource, user=user)
        place = place_read(user=user, value=self.checked(ScopeIn)["scope"])
        moved = resource_move(resource=resource, place=place, actor=user)
        return Response(ResourceOut(moved).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, key: UUID) -> Response:
        """Remove it, or cancel its check within seconds; 409 while an active run uses it. For its
        owner, owners of its campaign, and administrators."""
        user = logged_in(request.user)
        resource_remove(resource=resource_get(user=user, key=key, remove=True), actor=user)
        return Response(status=status.HTTP_204_NO_CONTENT)
