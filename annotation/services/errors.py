"""What a service may refuse; views and the API turn it into a page or an answer."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _


class DomainError(Exception):
    """A refusal with a code for programs, a sentence for people and the data of the case."""

    code = "refused"

    def __init__(self, message: str, **data: Any) -> None:
        super().__init__(message)
        self.message = message
        self.data = data


class NotFound(DomainError):
    """There is no such thing, or not for this user: the two are not told apart."""

    code = "not_found"


class NotAllowed(DomainError):
    """The user may see it, but not do this."""

    code = "not_allowed"


class Invalid(DomainError):
    """The input cannot be taken as it is."""

    code = "invalid"


class Conflict(DomainError):
    """The stored state is another one than the caller believed."""

    code = "conflict"


class StaleVersion(Conflict):
    """Somebody (another tab) saved this value since; `data` has the stored value."""

    code = "stale"


class RequestReused(Conflict):
    """The UUID of a save came back with another answer or at another place: nothing is stored."""

    code = "request_reused"

    def __init__(self, **data: Any) -> None:
        super().__init__(_("Every answer needs a new id: this one was used for another."), **data)


class Incomplete(Conflict):
    """A sheet lacks required answers; `data` lists them."""

    code = "incomplete"


class RevisionClosed(Conflict):
    """The sheet is done and may not be changed any more; `data` has the stored value."""

    code = "revision_closed"
