"""Atomic writing of the files that commands write under `-o`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from django.core.management.base import CommandError, CommandParser

from paraanno.common.on_disk import put_in_place
from paraanno.common.texts import say
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.stores import ABOUT


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Open the file for bytes; after an error it is unchanged. Raises OSError.

    A link stays a link. Anything but an ordinary file (/dev/null, /dev/stdout, a pipe) is written
    directly, because it must not be replaced by an ordinary file.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    path = path.resolve()
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as stream:
            yield stream
        put_in_place(draft, path)
    finally:
        draft.unlink(missing_ok=True)


# Atomic writing of the folders that commands write under `-o`.


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """An empty folder that takes this place when all is written; after an error nothing changes.

    A store that is there is replaced. Raises FileRefused where anything else is, OSError where
    nothing can be written.
    """
    path = path.resolve()
    if path.exists() and not _may_be_replaced(path):
        raise FileRefused.at(
            path, 0, say("is there already and is no store; give the name of a new folder.")
        )
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    try:
        yield draft
        if path.exists():
            shutil.rmtree(path)
        put_in_place(draft, path)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _may_be_replaced(path: Path) -> bool:
    return path.is_dir() and ((path / ABOUT).is_file() or not any(path.iterdir()))


# What commands that write a file of a campaign share.


def add_campaign_file(parser: CommandParser) -> None:
    """Add CAMPAIGN and -o FILE."""
    parser.add_argument("campaign", help="the campaign's short name (slug)")
    parser.add_argument("-o", "--output", metavar="FILE", required=True)


def campaign_file(path: str, write: Callable[[BinaryIO], int]) -> int:
    """Write the file whole or not at all, and return what `write` counted; exit with code 2 where
    it cannot be written."""
    try:
        with atomic_file(Path(path)) as stream:
            return write(stream)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=2) from error
