"""manage.py migrate, which refuses tables that are too old for this version."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as Migrate

from paraanno.running.prepare import older_database_refuse


class Command(Migrate):
    def handle(self, *args: Any, **options: Any) -> None:
        try:
            older_database_refuse()
        except ImproperlyConfigured as refusal:
            raise CommandError(f"Nothing was changed: {refusal}") from refusal
        super().handle(*args, **options)
