"""The kinds of jobs of this app."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from annotation.models import ImportJob
from paraanno.common.lazy_import import late
from paraanno.jobs.engine import Kind, reason_of_file

# Files that workers read as a whole, by what they hold: a function that takes what `items_import`
# takes, and one that returns what else the report says.
WHOLE: dict[str, tuple[Callable[..., Any], Callable[..., dict[str, Any]]]] = {}
_IMPORTS = "annotation.importing.jobs"

IMPORT = Kind(
    name="import",
    model=ImportJob,
    work=late(f"{_IMPORTS}:import_work"),
    why=reason_of_file,
    title=attrgetter("file_name"),
    repeatable=attrgetter("path"),
    large=("report",),
    clean=late(f"{_IMPORTS}:import_forget"),
    tend=late(f"{_IMPORTS}:imports_expire"),
)
