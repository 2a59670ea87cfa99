"""Uploads that are too large for the usual way: to the disk, hashed and counted as they come."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import SkipFile, TemporaryFileUploadHandler
from django.http import HttpRequest

from scoring.services.resources import too_large
from scoring.services.resources_convert import no_room

FIELD = "file"


class ResourceUpload(TemporaryFileUploadHandler):
    """Takes the form field `file`, and no other. After parsing, `problem` says why there is none,
    and `digest` is the SHA-256 of the file. The rest of a file that is refused is read and thrown
    away, so that the browser gets to see the answer."""

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
            self._refuse(no_room())
        self._hash, self._size = hashlib.sha256(), 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self._size += len(raw_data)
        if self._size > settings.RESOURCE_MAX_BYTES:
            self._refuse(too_large())
        self._hash.update(raw_data)
        try:
            self.file.write(raw_data)
        except OSError:
            self._refuse(no_room())

    def file_complete(self, file_size: int) -> UploadedFile | None:
        try:
            self.file.flush()
        except OSError:
            self.problem = no_room()
            self._discard()
            return None
        self.digest = self._hash.hexdigest()
        done = super().file_complete(file_size)
        del self.file  # Or it would be closed, and so removed, when a later one is refused.
        return done

    def _refuse(self, why: str) -> None:
        self.problem = why
        self._discard()
        raise SkipFile

    def _discard(self) -> None:
        """Close and remove what has come; closing tries once more to write, in vain."""
        if hasattr(self, "file"):
            with suppress(OSError):
                self.file.close()
            del self.file
