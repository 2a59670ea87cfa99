"""Strict readers of environment variables.

A variable that is set but cannot be understood stops the start with its name and the
values it may have: a silent default would run a server that its owner did not ask for.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from paraanno.data_dir import kept_database

_TRUE = {"true", "1", "yes", "on"}
_FALSE = {"false", "0", "no", "off"}


def env_str(name: str, default: str = "") -> str:
    """The text of `name`, or `default` where it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, default: bool) -> bool:
    """True or False; any other text than the usual words raises ImproperlyConfigured."""
    text = os.environ.get(name, "").strip().lower()
    if not text:
        return default
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise ImproperlyConfigured(f"{name} is {text!r}: write true or false.")


def env_int(name: str, default: int, *, minimum: int = 0) -> int:
    """A whole number of at least `minimum`."""
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    try:
        number = int(text)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {text!r}: write a whole number.") from None
    if number < minimum:
        raise ImproperlyConfigured(f"{name} is {number}: the least allowed is {minimum}.")
    return number


def env_folder(name: str, default: Path) -> Path:
    """A folder that must be there, or `default`, which need not."""
    text = os.environ.get(name, "").strip()
    if text and not Path(text).expanduser().is_dir():
        raise ImproperlyConfigured(f"{name} is {text!r}: there is no such folder.")
    return Path(text).expanduser() if text else default


def env_list(name: str, default: list[str]) -> list[str]:
    """Comma-separated words without empty ones."""
    text = os.environ.get(name, "").strip()
    return [word.strip() for word in text.split(",") if word.strip()] if text else default


def env_secret(name: str) -> str:
    """The secret in `name`, or in the file that `name`_FILE names (Docker secrets)."""
    path = os.environ.get(f"{name}_FILE", "").strip()
    if path:
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE: cannot read {path}: {error}") from error
    return os.environ.get(name, "").strip()


def env_database(name: str, *, default: Path) -> dict[str, Any]:
    """Django's database settings from a URL; a SQLite file at `default` where it is unset."""
    text = env_secret(name)
    return database_from_url(text, name=name) if text else sqlite_database(default)


def database_from_url(text: str, *, name: str = "DATABASE_URL") -> dict[str, Any]:
    """`postgresql://USER:PASSWORD@HOST:PORT/NAME?option=value` or `sqlite:///FILE` for Django.

    `name` is the variable that an error speaks of.
    """
    url = urlsplit(text)
    if url.scheme == "sqlite":
        return sqlite_database(Path(unquote(url.path[1:])))
    if url.scheme not in {"postgresql", "postgres"}:
        raise ImproperlyConfigured(
            f"{name} begins with {url.scheme!r}: use postgresql:// or sqlite:///."
        )
    options: dict[str, Any] = dict(parse_qsl(url.query))
    # The server parses and plans a statement that comes again once: a save takes a fifth less.
    # A pool that hands out connections by transaction may not know prepared statements.
    prepare = options.pop("prepare", "yes") != "no"
    options |= {"server_side_binding": prepare, "prepare_threshold": 5 if prepare else None}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path[1:]),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": unquote(url.hostname or options.pop("host", "")),
        "PORT": str(url.port or ""),
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


def sqlite_database(path: Path) -> dict[str, Any]:
    """A SQLite file set up for several processes that read and write at once.

    IMMEDIATE takes the write lock at BEGIN, so that a transaction never fails half-way with
    "database is locked"; WAL lets readers go on meanwhile. `synchronous` is FULL: a value that
    the annotator sees as saved is on the disk, even when the power goes.
    """
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(kept_database(path)),
        "CONN_MAX_AGE": 600,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA cache_size=-65536;"
            ),
        },
    }
