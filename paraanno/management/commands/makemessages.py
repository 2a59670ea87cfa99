"""manage.py makemessages, which also collects what pure packages say through `told`."""

from __future__ import annotations

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """Django's command; the readers of files import no gettext, so their keyword is our own."""

    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=told"]
