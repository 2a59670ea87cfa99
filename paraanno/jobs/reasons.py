"""Why a job failed, as a sentence that shows nothing of the server."""

from __future__ import annotations

import errno
from functools import partial

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings

from annotation.errors import DomainError
from paraanno.plain.sentence import Sentence, changed, said, say
from paraanno.plain.sentence_columns import storable, told

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
NO_ROOM = say("The server’s disk is full: free some space, then do this again.")
NO_MEMORY = say("This needs more memory than the worker has: give it more, or use less data.")
TOO_LONG = say("This took longer than a worker may: use less data.")
NO_FILE = say(
    "The worker does not find the file: if it runs on another host, both need the same data "
    "folder. Send the file again."
)


def reason(error: Exception) -> str:
    """The message of a refusal; of other errors what to do, or the type and what it says."""
    if isinstance(error, DomainError):
        return error.message
    if isinstance(error, OSError) and error.errno in FULL:
        return NO_ROOM
    if isinstance(error, MemoryError):
        return NO_MEMORY
    if isinstance(error, SoftTimeLimitExceeded):
        return TOO_LONG
    message = said(error)
    return without_paths(
        changed(message, storable) if isinstance(message, Sentence) else told(error)
    )


def reason_of_file(_row: object, error: Exception) -> str:
    """The same for a job that reads a file that was sent."""
    return NO_FILE if isinstance(error, FileNotFoundError) else reason(error)


def without_paths(text: Sentence) -> Sentence:
    """The sentence without the folders of the server."""
    folders = {
        str(one)
        for one in (settings.DATA_DIR, settings.MEDIA_ROOT, settings.FILE_UPLOAD_TEMP_DIR)
        if one
    }
    for folder in sorted(folders, key=len, reverse=True):
        text = changed(text, partial(_without, folder))
    return text


def _without(folder: str, text: str) -> str:
    return text.replace(f"{folder}/", "")


def ended(times: int) -> Sentence:
    """Of a job that has taken down so many processes."""
    return say(
        "The worker process ended %(n)s times while doing this: it ran out of memory, or it "
        "crashes each time. See the worker's log.",
        n=times,
    )
