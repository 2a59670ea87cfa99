"""manage.py makemessages, which also collects the sentences that pure packages build with `say`."""

from __future__ import annotations

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """Django's command with `say` as a further keyword, because pure packages import no gettext."""

    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=say"]
