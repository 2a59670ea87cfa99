"""Large uploads, streamed to disk while their size and SHA-256 are computed."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import SkipFile, TemporaryFileUploadHandler
from django.http import HttpRequest

from paraanno.jobs.engine import NO_ROOM
from paraanno.template_filters import translated
from scoring.resources.services import too_large

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
