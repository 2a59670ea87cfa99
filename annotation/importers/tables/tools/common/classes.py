"""The names of the classes that Hugging Face's datasets keeps beside numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.importers.tables.books import Coded


def class_labels(metadata: Mapping[bytes, bytes] | None) -> dict[str, list[str]]:
    """Return the names of the classes by column, from the metadata of an Arrow schema."""
    try:
        info = json.loads((metadata or {}).get(b"huggingface", b"{}"))
        features = info.get("info", {}).get("features", {})
    except (ValueError, AttributeError, RecursionError):
        return {}
    return labels_of(features)


def labels_of(features: object) -> dict[str, list[str]]:
    """Return the names of the classes by column, from the features of a data set."""
    if not isinstance(features, Mapping):
        return {}
    return {
        str(name): [str(label) for label in one["names"]]
        for name, one in features.items()
        if isinstance(one, Mapping) and isinstance(one.get("names"), list)
    }


def coded(cell: Any, labels: Sequence[str] | None) -> Any:
    """Return a number of a class with its name; anything else as it is."""
    if labels is None or isinstance(cell, bool) or not isinstance(cell, int):
        return cell
    if cell == -1:  # what datasets writes for a class that is missing
        return None
    return Coded(float(cell), labels[cell]) if 0 <= cell < len(labels) else cell
