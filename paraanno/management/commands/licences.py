"""manage.py licences [FILE]"""

from __future__ import annotations

import re
import sys
from email.message import Message
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)", re.MULTILINE)
CLASSIFIER = "License :: "
LONGEST = 80
NOT_HERE = "not installed here"
HEAD = """# Licences

Written by `manage.py licences docs/licences.md`, from what each package of `requirements.txt`
and of `requirements-extras.txt` says of itself. paraanno itself is GPL-3.0-or-later. Its English
lemmas are those of simplemma 2.0.0 (MIT License).

| package | version | licence |
|---|---|---|
"""


def pinned_lists() -> list[str]:
    """The lists of what a site needs, and of its extras (those for neural metrics are apart)."""
    return [
        (settings.BASE_DIR / name).read_text(encoding="utf-8")
        for name in ("requirements.txt", "requirements-extras.txt")
    ]


class Command(BaseCommand):
    help = "List the licence of every package that a site needs, as a table in Markdown."
    requires_system_checks: list[str] = []  # Needs no database and no site.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="default: to the screen")

    def handle(self, *args: Any, **options: Any) -> None:
        pins = sorted({one for text in pinned_lists() for one in PINNED.findall(text)})
        lines = [f"| {name} | {version} | {licence_named(name)} |\n" for name, version in pins]
        text = HEAD + "".join(lines)
        if options["file"] is None:
            sys.stdout.write(text)
        else:
            options["file"].write_text(text, encoding="utf-8")


def licence_named(name: str) -> str:
    """What the installed package of this name says."""
    try:
        return licence_of(cast(Message, metadata(name)))
    except PackageNotFoundError:
        return NOT_HERE


def licence_of(package: Message) -> str:
    """The SPDX expression, else classifiers, else the first line of the field, else "not said"."""
    if expression := package.get("License-Expression"):
        return str(expression)
    named = [
        one.rpartition(" :: ")[2]
        for one in package.get_all("Classifier") or []
        if one.startswith(CLASSIFIER) and one != "License :: OSI Approved"
    ]
    field = str(package.get("License") or "").strip().splitlines()
    return "; ".join(named) or (field[0][:LONGEST] if field else "") or "not said"
