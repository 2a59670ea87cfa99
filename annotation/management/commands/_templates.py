"""What the commands about templates share."""

from __future__ import annotations

import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from annotation.campaigns.templating.changes import template_read
from annotation.importers import TemplateRead
from paraanno.common.texts import cannot_be_read


def template_or_exit(command: BaseCommand, path: str) -> TemplateRead:
    """Read a template; with any error, print all with their lines and exit with code 2."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CommandError(f"{path}:1: {cannot_be_read(error)}", returncode=2) from error
    read = template_read(data=data, name=path)
    if read.template is None:
        for problem in read.problems:
            command.stderr.write(str(problem))
        sys.exit(2)
    return read
