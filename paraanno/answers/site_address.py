"""The full address of a page, as it stands in e-mails, links to pass on, and answers of the API."""

from __future__ import annotations

from typing import Protocol

from django.conf import settings


class Asked(Protocol):
    """A request, of Django or of the API's framework."""

    def build_absolute_uri(self, location: str | None = None) -> str: ...


def full_address(request: Asked, path: str = "/") -> str:
    """Return the path behind PARAANNO_SITE; without that setting, behind the name under which the
    site was asked, which whoever asks can choose among those allowed."""
    return settings.SITE + path if settings.SITE else request.build_absolute_uri(path)


def at_site(path: str, *, told: str) -> str:
    """Return the path behind PARAANNO_SITE; without it behind `told`, the start of an address that
    was stored when somebody was here, for work that no request asks for."""
    return (settings.SITE or told.rstrip("/")) + path
