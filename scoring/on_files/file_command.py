"""The base of commands that work on plain files: no database, and exit 2 for a bad file."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from django.core.management.base import BaseCommand

from paraanno.common.progress import listening
from scoring.metrics.files import FileRefused
from scoring.stats.terminal.files import FileProblems

T = TypeVar("T")
LINE = 24  # As long as progress gets: shorter lines leave nothing of longer ones.


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

    def print_report(
        self, make: Callable[[], T], text: Callable[[T], str], *, as_json: bool
    ) -> None:
        """Print what `make` returns as one JSON object, or as text; exit with 2 where it raises
        ValueError, with a line for each problem of a file."""
        try:
            report = make()
        except FileProblems as problems:
            self.refuse(*problems.lines)
        except ValueError as error:
            self.refuse(str(error))
        whole = json.dumps(report, ensure_ascii=False, allow_nan=False) if as_json else text(report)
        self.stdout.write(whole)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._began = time.monotonic()

    @contextmanager
    def progress_shown(self) -> Iterator[None]:
        """Tell how far the loops inside are, if they take longer than half a second."""
        shares: list[float] = []

        def tell(share: float) -> None:
            shares.append(share)
            self.tell_share(share)

        with listening(tell, every=0.5):
            yield
        if shares:
            self.tell_share(1.0)

    def tell_share(self, share: float) -> None:
        """Print progress, and the time left at the speed so far, on one line that is overwritten,
        if somebody looks at a terminal."""
        if not self.stderr.isatty():
            return
        left = (time.monotonic() - self._began) * (1 - share) / share if share else 0.0
        text = f"{share:4.0%}" + (f", {left:.0f} s left" if left >= 1 else "")
        self.stderr.write(f"\r{text:<{LINE}}", ending="\n" if share >= 1 else "")
        self.stderr.flush()


def beside(path: Path) -> Path | None:
    """The JSON file that belongs to a file of scores; None for a pipe or a device."""
    if path.exists() and not path.is_file():
        return None
    return path.with_suffix(".json")


def add_text(parser: ArgumentParser) -> None:
    """Add the arguments of a text that is cut into words: TEXT, --tokenize and --lowercase."""
    # Here, because most commands cut no text, and this takes a tenth of their start.
    from scoring.building.corpora import TOKENIZERS

    parser.add_argument("text", type=Path, metavar="TEXT", help="UTF-8, one sentence a line")
    parser.add_argument(
        "--tokenize",
        choices=TOKENIZERS,
        default="none",
        help="words (letters and digits), 13a (mteval), ko (Korean morphemes), or none "
        "(at white space, the default)",
    )
    parser.add_argument("--lowercase", action="store_true", help="ignore case")
