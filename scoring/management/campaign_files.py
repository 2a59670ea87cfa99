"""What commands that write a file of a campaign share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from django.core.management.base import CommandError, CommandParser

from annotation.errors import DomainError
from scoring.management.atomic_file import atomic_file


def add_campaign_file(parser: CommandParser) -> None:
    """Add CAMPAIGN and -o FILE."""
    parser.add_argument("campaign", help="the campaign's short name (slug)")
    parser.add_argument("-o", "--output", metavar="FILE", required=True)


def campaign_file(path: str, write: Callable[[BinaryIO], int]) -> int:
    """Write the file whole or not at all, and return what `write` counted; exit with code 2 where
    it cannot be written or is refused."""
    try:
        with atomic_file(Path(path)) as stream:
            return write(stream)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=2) from error
    except DomainError as refusal:
        raise CommandError(refusal.message, returncode=2) from refusal
