"""What takes room on the site's disks, for administrators."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.models import ExportFile


@dataclass(frozen=True, slots=True)
class DiskPart:
    """One kind of data: bytes, where, and what an administrator can do about it."""

    name: str
    label: Promise
    size: int
    advice: Promise


@dataclass(frozen=True, slots=True)
class DiskUse:
    """`free` and `total` bytes of the data folder's disk; `low`: less than is wanted is free.
    `removable` is the number of exported files that can be removed now."""

    free: int
    total: int
    low: bool
    parts: list[DiskPart]
    removable: int

    @property
    def used(self) -> int:
        return self.total - self.free


LABELS = {
    "files": (_("Exports and imports"), _("Exported files can be made again: remove them below.")),
    "resources": (
        _("Resources"),
        _("The page Resources shows which are used, and can remove them."),
    ),
    "models": (_("Neural models"), _("Delete folders of models that no run needs on the server.")),
    "builds": (_("Builds"), _("They are deleted automatically when the resource is made.")),
    "backups": (_("Backups"), _("PARAANNO_BACKUPS_KEPT says how many are kept.")),
    "logs": (_("Logs"), _("They are rotated automatically when they are full.")),
    "other": (_("Other files"), _("Static files, drafts, messages: nothing to remove.")),
}


def disk_use() -> DiskUse:
    """Sizes of the database and of the folders in the data folder; a few queries.

    Every file is looked at, so that a page shows what is there now.
    """
    data = Path(settings.DATA_DIR)
    usage = shutil.disk_usage(data)
    sizes = dict.fromkeys(LABELS, 0)
    for entry in data.iterdir():
        if entry.is_symlink() or entry.name.startswith("paraanno.sqlite3"):
            continue
        sizes[entry.name if entry.name in sizes else "other"] += size_of(entry)
    outside = settings.BACKUP_DIR
    if outside is not None and outside.is_dir() and not outside.is_relative_to(data):
        sizes["backups"] += size_of(outside)
    database = DiskPart(
        "database", _("Database"), _database_size(),
        _("Judgments with their history: delete campaigns that are archived elsewhere."),
    )  # fmt: skip
    parts = [DiskPart(name, label, sizes[name], advice) for name, (label, advice) in LABELS.items()]
    low = usage.free // 2**20 < settings.DISK_FREE_MB
    return DiskUse(usage.free, usage.total, low, [database, *parts], removable_exports().count())


def removable_exports() -> QuerySet[ExportFile]:
    """Exported files that are there and done."""
    return ExportFile.objects.filter(status=ExportFile.Status.DONE, removed_at=None)


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files in a folder; what goes meanwhile counts as nothing."""
    try:
        if path.is_file():
            return path.stat().st_size
        return sum(
            os.stat(os.path.join(folder, name), follow_symlinks=False).st_size
            for folder, _folders, names in os.walk(path)
            for name in names
        )
    except FileNotFoundError:
        return 0


def _database_size() -> int:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    file = Path(str(connection.settings_dict["NAME"]))
    return sum(size_of(one) for one in file.parent.glob(f"{file.name}*"))
