"""The base of commands on what the site stores; those on plain files have `FileCommand`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, NoReturn

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_slug

from annotation.access import refuse_archived
from annotation.errors import DomainError
from annotation.models import Campaign
from paraanno.common.texts import cannot_be_read


class SiteCommand(BaseCommand):
    """A command calls services, for nobody in particular. What they refuse ends it with code 2."""

    # Every start of the site makes Django's checks of pages and settings, and a short command would
    # spend a third of its time on loading all pages for them.
    requires_system_checks: list[str] | Literal["__all__"] = []

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.work(options)
        except DomainError as refusal:
            self.refuse(refusal.message)

    def work(self, options: dict[str, Any]) -> None:
        """What the command does."""
        raise NotImplementedError

    def campaign(self, slug: str, *, writes: bool = False) -> Campaign:
        """The campaign with this slug; refused if there is none, or if the command `writes` and
        the campaign is archived."""
        campaign = Campaign.objects.filter(slug=slug).first()
        if campaign is None:
            self.refuse(f"There is no campaign {slug!r}.")
        if writes:
            refuse_archived(campaign)
        return campaign

    def new_slug(self, slug: str) -> str:
        """The short name of a campaign to make; refused if it is none."""
        try:
            validate_slug(slug)
        except ValidationError as error:
            self.refuse(f"{slug!r}: {error.messages[0]}")
        return slug

    @contextmanager
    def reading(self, path: str | Path) -> Iterator[BinaryIO]:
        """Open a file for bytes; refused if it cannot be read."""
        try:
            with Path(path).open("rb") as stream:
                yield stream
        except OSError as error:
            self.refuse(f"{path}:1: {cannot_be_read(error)}")

    def refuse(self, message: str) -> NoReturn:
        """End with code 2 and this message."""
        raise CommandError(message, returncode=2)

    def refuse_lines(self, problems: Iterable[object]) -> NoReturn:
        """End with code 2 after printing the problems of a file, one a line."""
        for problem in problems:
            self.stderr.write(str(problem))
        sys.exit(2)
