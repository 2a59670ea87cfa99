"""Record which hosts serve pages, and from which data folder."""

from __future__ import annotations

import socket
from datetime import timedelta

from django.db.models.functions import Now

from annotation.models import WebHost
from annotation.services.transactions import short_write
from paraanno.data_dir import storage_id

FORGET_AFTER = timedelta(days=7)


def shares_files() -> bool:
    """Whether the web server that was seen last has this process's data folder; True if none."""
    newest = WebHost.objects.order_by("-seen_at").first()
    return newest is None or newest.storage == storage_id()


def web_host_seen() -> None:
    """Write this host's row; it fails if the database cannot be written."""
    columns = {"storage": storage_id(), "seen_at": Now()}
    with short_write():
        WebHost.objects.update_or_create(name=socket.gethostname()[:100], defaults=columns)
        WebHost.objects.filter(seen_at__lt=Now() - FORGET_AFTER).delete()
