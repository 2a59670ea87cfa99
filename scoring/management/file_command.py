"""The base of commands that work on plain files: no database, and exit 2 for a bad file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from django.core.management.base import BaseCommand

from scoring.metrics.files import FileRefused


class FileCommand(BaseCommand):
    """A command on plain files."""

    requires_system_checks: list[str] = []  # Needs no database and no site.

    @contextmanager
    def refusing(self, output: Path | None = None) -> Iterator[None]:
        """Print what is wrong with a file as `FILE:LINE: ...`, a line each, and exit with 2; also
        where `output` cannot be written."""
        try:
            yield
        except FileRefused as refusal:
            self.refuse(*map(str, refusal.lines))
        except OSError as error:
            place = error.filename if output is None else output
            self.refuse(f"{place}:0: cannot be written ({error.strerror}).")

    def refuse(self, *lines: str) -> NoReturn:
        """Print the lines and exit with 2."""
        for line in lines:
            self.stderr.write(line)
        sys.exit(2)

    def tell_share(self, share: float) -> None:
        """Print progress on one line that is overwritten, if somebody looks at a terminal."""
        if self.stderr.isatty():
            self.stderr.write(f"\r{share:4.0%}", ending="\n" if share >= 1 else "")
            self.stderr.flush()
