"""Uploads to disk that distinguish a full disk from a file that was not sent."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import SkipFile, TemporaryFileUploadHandler
from django.http import HttpRequest

from annotation.errors import NoRoom

MARK = "paraanno_no_room"


class DiskUpload(TemporaryFileUploadHandler):
    """Django's handler of large files. Where the disk is full the file is left out, the rest of it
    is read and discarded so that the sender receives the answer, and `check_room` refuses.
    """

    def new_file(self, *args: Any, **options: Any) -> None:
        try:
            super().new_file(*args, **options)
        except OSError:
            self._refuse()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        try:
            self.file.write(raw_data)
        except OSError:
            self._refuse()

    def file_complete(self, file_size: int) -> UploadedFile | None:
        try:
            self.file.flush()
        except OSError:
            self._discard()
            return None
        return super().file_complete(file_size)

    def _refuse(self) -> None:
        self._discard()
        raise SkipFile

    def _discard(self) -> None:
        """Remove what was received; closing tries to write once more and fails."""
        if self.request is not None:
            self.request.META[MARK] = True
        if hasattr(self, "file"):
            with suppress(OSError):
                self.file.close()
            del self.file


def check_room(request: HttpRequest) -> None:
    """Raise NoRoom if a file of this request, which has been read, found no room."""
    if MARK in request.META:
        raise NoRoom()
