"""System checks for settings that work at the start and fail later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Warning, register

LOCAL = {"localhost", "127.0.0.1", "[::1]"}


def _public_hosts() -> list[str]:
    return [host for host in settings.ALLOWED_HOSTS if host not in LOCAL]


@register()
def check_public_settings(app_configs: Sequence[Any] | None, **_: Any) -> list[CheckMessage]:
    """Check that a public site shows no debug pages and sends passwords over https only."""
    public = ", ".join(_public_hosts())
    problems: list[CheckMessage] = []
    if public and settings.DEBUG:
        problems.append(
            Error(
                f"PARAANNO_DEBUG is true while the site answers to {public}.",
                hint="Debug pages show secrets: leave PARAANNO_DEBUG unset.",
                id="paraanno.E001",
            )
        )
    if public and not settings.HTTPS:
        problems.append(
            Warning(
                f"The site answers to {public} without https.",
                hint="Set PARAANNO_HTTPS=true behind a server that speaks https.",
                id="paraanno.W001",
            )
        )
    if "*" in settings.ALLOWED_HOSTS:
        problems.append(
            Warning(
                "PARAANNO_ALLOWED_HOSTS has '*': any name in a request is believed.",
                hint="List the names under which the site is reached.",
                id="paraanno.W002",
            )
        )
    if public and settings.EMAIL_HOST and not settings.SITE:
        problems.append(
            Warning(
                "Links in e-mails begin with the name that a request gives.",
                hint="Set PARAANNO_SITE to the site's address, such as https://study.example.org.",
                id="paraanno.W004",
            )
        )
    return problems


@register(deploy=True)
def check_scale_settings(app_configs: Sequence[Any] | None, **_: Any) -> list[CheckMessage]:
    """Check that database, broker and number of web processes fit each other."""
    sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    embedded = settings.CELERY_BROKER_URL.startswith("filesystem")
    problems: list[CheckMessage] = []
    if not sqlite and embedded:
        problems.append(
            Info(
                "PostgreSQL is used with the broker in the data folder.",
                hint="Right for one host; with workers on others set BROKER_URL.",
                id="paraanno.I001",
            )
        )
    if sqlite and settings.WEB_PROCESSES > 1:
        problems.append(
            Warning(
                "Several web processes share one SQLite file.",
                hint="Leave PARAANNO_WEB_PROCESSES unset, or set DATABASE_URL to PostgreSQL.",
                id="paraanno.W003",
            )
        )
    return problems
