"""Static files from installed packages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

NAME = "plotly/plotly.min.js"


class PlotlyFinder(BaseFinder):
    """Plotly's script from its Python package; this repository has no copy of it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        spec = find_spec("plotly")  # Finding is quick; importing plotly is not.
        if spec is None or spec.origin is None:
            raise ImportError("plotly is not installed: pip install -r requirements.txt")
        folder = Path(spec.origin).parent / "package_data"
        self.storage = FileSystemStorage(location=folder)
        self.storage.prefix = "plotly"  # type: ignore[attr-defined]  # read by collectstatic

    def check(self, **kwargs: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        found = self.storage.path("plotly.min.js") if path == NAME else None
        if find_all:
            return [found] if found else []
        return found or []

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        yield "plotly.min.js", self.storage
