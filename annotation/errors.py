"""Domain errors; views and the API turn them into pages or responses."""

from __future__ import annotations

import errno
import logging
from typing import Any

from django.utils.translation import gettext as _

from paraanno.common.sandbox.unreadable import unreadable
from paraanno.template_filters import translated

logger = logging.getLogger(__name__)


class DomainError(Exception):
    """A refusal with a code for programs, a sentence for people, and related data."""

    code = "refused"

    def __init__(self, message: str, **data: Any) -> None:
        super().__init__(message)
        self.message = message
        self.data = data


class NotFound(DomainError):
    """The object does not exist, or this user may not know of it; the two look the same."""

    code = "not_found"


class NotAllowed(DomainError):
    """The user may see the object, but not do this."""

    code = "not_allowed"


class Invalid(DomainError):
    """The input is not valid."""

    code = "invalid"


class Conflict(DomainError):
    """The stored state differs from what the caller expected."""

    code = "conflict"


class StaleVersion(Conflict):
    """The value was saved in the meantime (in another tab); `data` has the stored value."""

    code = "stale"


class RequestReused(Conflict):
    """The UUID of a save was reused for another answer or place; nothing is stored."""

    code = "request_reused"

    def __init__(self, **data: Any) -> None:
        super().__init__(_("Every answer needs a new id: this one was used for another."), **data)


class Unsure(Conflict):
    """A table waits for a person to look at what was guessed; `data` has the questions, `asks`."""

    code = "unsure"


class TooManyFailures(DomainError):
    """Too many logins have failed from here, or for this account."""

    code = "throttled"


class Incomplete(Conflict):
    """A sheet lacks required answers; `data` lists them."""

    code = "incomplete"


class RevisionClosed(Conflict):
    """The sheet is done and can no longer be changed; `data` has the stored value."""

    code = "revision_closed"


class NoRoom(DomainError):
    """The server's disk is full."""

    code = "disk_full"

    def __init__(self, **data: Any) -> None:
        super().__init__(
            _("The server’s disk is full: nothing was stored. Tell an administrator."), **data
        )


def as_refusal(error: Exception) -> Exception:
    """Return the refusal that an error amounts to, else the error itself: NoRoom if the disk is
    full, Invalid if a file cannot be decoded.

    Pages and API ask it about every error that reaches them (workers: `error_sentence`).
    """
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return NoRoom()
    why = unreadable(error)
    if why is None:
        return error
    logger.warning("A file was refused that no reader foresaw", exc_info=error)
    return Invalid(translated(why))
