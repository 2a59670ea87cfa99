"""What the environment of a process says: strict readers of its variables, and the data folder,
with everything that an instance without external services stores.

A variable with an invalid value stops the start with its name and the valid values: a silent
default would run a server that its owner did not ask for.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import closing
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, NotRequired, TypedDict
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from paraanno.common.on_disk import put_where_none_is

PARTS = ("broker/queue", "broker/control", "broker/processed", "files", "static", "tmp", "logs")


def prepare_data_dir(path: Path) -> Path:
    """Make the folder and its subfolders, readable by their owner only; return its full path."""
    path = path.expanduser().resolve()
    try:
        for part in (path, path / "broker", *(path / name for name in PARTS)):
            part.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder {path} cannot be made: {error}. "
            "Set PARAANNO_DATA_DIR to a folder that this user may write."
        ) from error
    return path


def kept_secret(path: Path) -> str:
    """Return the secret in `path`, which is made at the first call."""
    if not path.exists():
        _make_once(path, lambda draft: _write(draft, secrets.token_urlsafe(64)))
    return path.read_text(encoding="utf-8").strip()


def storage_id() -> str:
    """Return the text that tells this data folder from others; hosts that share it agree."""
    from django.conf import settings

    return kept_secret(Path(settings.DATA_DIR) / "storage_id")


def kept_database(path: Path) -> Path:
    """Return the SQLite file `path`, made in write-ahead mode if it does not exist.

    Changing a file to that mode does not wait for locks: if several processes connect to a new file
    at once, some fail with "database is locked". A file created in that mode needs no change.
    """
    if not path.exists():
        _make_once(path, _write_empty_database)
    return path


def _make_once(path: Path, write: Callable[[Path], None]) -> None:
    """Let exactly one of several processes that start together make the file `path`.

    The file appears under its name only when it is complete, so the others never read half of it.
    """
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        write(draft)
        put_where_none_is(draft, path)
    except FileExistsError:
        pass  # Another process was first, and its file is used.
    finally:
        draft.unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _write_empty_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")


_TRUE = {"true", "1", "yes", "on"}
_FALSE = {"false", "0", "no", "off"}


def env_str(name: str, default: str = "") -> str:
    """Return the text of `name`, or `default` if it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, default: bool) -> bool:
    """Return True or False; any but the usual words raises ImproperlyConfigured."""
    text = os.environ.get(name, "").strip().lower()
    if not text:
        return default
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise ImproperlyConfigured(f"{name} is {text!r}: write true or false.")


def env_int(name: str, default: int, *, minimum: int = 0, maximum: int | None = None) -> int:
    """Return an integer of at least `minimum` and at most `maximum`."""
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    try:
        number = int(text)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {text!r}: write a whole number.") from None
    if number < minimum:
        raise ImproperlyConfigured(f"{name} is {number}: the least allowed is {minimum}.")
    if maximum is not None and number > maximum:
        raise ImproperlyConfigured(f"{name} is {number}: the most allowed is {maximum}.")
    return number


def env_folder(name: str, default: Path) -> Path:
    """Return a folder, which must exist, or `default`, which need not."""
    text = os.environ.get(name, "").strip()
    if text and not Path(text).expanduser().is_dir():
        raise ImproperlyConfigured(f"{name} is {text!r}: there is no such folder.")
    return Path(text).expanduser() if text else default


def env_word(name: str, default: str, words: tuple[str, ...]) -> str:
    """Return one of the words."""
    text = os.environ.get(name, "").strip() or default
    if text not in words:
        raise ImproperlyConfigured(f"{name} is {text!r}: write one of {', '.join(words)}.")
    return text


def env_list(name: str, default: list[str]) -> list[str]:
    """Return the comma-separated words, without empty ones."""
    text = os.environ.get(name, "").strip()
    return [word.strip() for word in text.split(",") if word.strip()] if text else default


def env_networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Return the comma-separated networks, such as 10.0.0.0/8; one address is a network, too."""
    try:
        return [ip_network(word) for word in env_list(name, [])]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}: {error}. Write networks as 10.0.0.0/8.") from None


def env_secret(name: str) -> str:
    """Return the secret in `name`, or in the file that `name`_FILE names (Docker secrets)."""
    path = os.environ.get(f"{name}_FILE", "").strip()
    if path:
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE: cannot read {path}: {error}") from error
    return os.environ.get(name, "").strip()


def env_site(name: str) -> str:
    """Return an address of https, or of http on this machine, without a slash at the end."""
    text = os.environ.get(name, "").strip().rstrip("/")
    if text and not is_safe_site(text):
        raise ImproperlyConfigured(f"{name} is {text!r}: write an address that begins https://.")
    return text


def env_origin(name: str) -> str:
    """Return an address of this kind that is a whole site: a host and perhaps a port."""
    text = env_site(name)
    url = urlsplit(text)
    if text != f"{url.scheme}://{url.netloc}" * bool(text) or "@" in url.netloc:
        raise ImproperlyConfigured(f"{name} is {text!r}: write https:// and the name of the host.")
    return text


def is_safe_site(text: str) -> bool:
    """Whether nobody on the way can read or change what is sent to the address."""
    url = urlsplit(text)
    here = url.hostname in ("localhost", "127.0.0.1", "::1")
    return bool(url.hostname) and (url.scheme == "https" or (url.scheme == "http" and here))


RIGHTS = ("admin", "create")


def env_rights(name: str) -> list[tuple[str, str, str]]:
    """Return triples of claim, value and right from words such as `groups:staff=create`."""
    rights = []
    for word in env_list(name, []):
        what, _equals, right = word.rpartition("=")
        claim, _colon, value = what.partition(":")
        if not claim or not value or right not in RIGHTS:
            raise ImproperlyConfigured(
                f"{name} has {word!r}: write CLAIM:VALUE=RIGHT, with the right admin or create."
            )
        rights.append((claim, value, right))
    return rights


class Database(TypedDict):
    """Django's settings of a database."""

    ENGINE: str
    NAME: str
    USER: NotRequired[str]
    PASSWORD: NotRequired[str]
    HOST: NotRequired[str]
    PORT: NotRequired[str]
    CONN_MAX_AGE: int
    CONN_HEALTH_CHECKS: NotRequired[bool]
    OPTIONS: dict[str, Any]


def env_database(name: str, *, default: Path) -> Database:
    """Return Django's database settings from a URL; if unset, a SQLite file at `default`."""
    text = env_secret(name)
    return database_from_url(text, name=name) if text else sqlite_database(default)


def database_from_url(text: str, *, name: str = "DATABASE_URL") -> Database:
    """Translate `postgresql://USER:PASSWORD@HOST:PORT/NAME?option=value` or `sqlite:///FILE`.

    `name` is the variable that errors mention.
    """
    url = urlsplit(text)
    if url.scheme == "sqlite":
        return sqlite_database(Path(unquote(url.path[1:])))
    if url.scheme not in {"postgresql", "postgres"}:
        raise ImproperlyConfigured(
            f"{name} begins with {url.scheme!r}: use postgresql:// or sqlite:///."
        )
    options: dict[str, Any] = dict(parse_qsl(url.query))
    # The server parses and plans a repeated statement once, which makes a save a fifth faster.
    # A pool that shares connections between transactions may not support prepared statements.
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


def sqlite_database(path: Path) -> Database:
    """Return settings for a SQLite file that several processes read and write at once.

    IMMEDIATE takes the write lock at BEGIN, so that a transaction never fails half-way with
    "database is locked"; WAL lets readers continue meanwhile. `synchronous` is FULL: a value that
    the annotator sees as saved is on the disk, even after a power failure.
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
