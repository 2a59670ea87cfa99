"""What `score` reports about a run: the JSON beside its CSV, and the summary that it prints."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from scoring.management.atomic_file import atomic_file
from scoring.metrics.scored import ScoredMetric

FORMAT = "paraanno scores 1"


class ColumnJson(TypedDict):
    """A metric's scores by the key of the row; `reasons` of those without a number."""

    signature: str
    met: dict[str, int]
    higher_is_better: bool
    scores: dict[str, float | None]
    reasons: dict[str, str]
    details: NotRequired[dict[str, Mapping[str, Any]]]


class AboutJson(TypedDict):
    """What a column of the CSV means; `corpus` is absent if the metric has no corpus score."""

    metric: str
    signature: str
    met: dict[str, int]
    higher_is_better: bool
    scored: int
    undefined: int
    mean: float | None
    corpus: NotRequired[float | None]
    reasons: dict[str, str]
    details: NotRequired[dict[str, Mapping[str, Any]]]


def column_json(ids: tuple[str, ...], column: ScoredMetric, *, details: bool) -> ColumnJson:
    """A metric in what `--json` prints."""
    found: ColumnJson = {
        "signature": column.signature,
        "met": column.met.as_json(),
        "higher_is_better": column.metric.higher_is_better,
        "scores": {key: score.value for key, score in zip(ids, column.scores, strict=True)},
        "reasons": _reasons(ids, column),
    }
    if details:
        found["details"] = _details(ids, column)
    return found


def _about(ids: tuple[str, ...], column: ScoredMetric, *, details: bool) -> AboutJson:
    mean, n = column.mean
    found: AboutJson = {
        "metric": column.metric.name,
        "signature": column.signature,
        "met": column.met.as_json(),
        "higher_is_better": column.metric.higher_is_better,
        "scored": n,
        "undefined": len(ids) - n,
        "mean": mean.value,
        "reasons": _reasons(ids, column),
    }
    if column.corpus is not None:
        found["corpus"] = column.corpus.value
    if details:
        found["details"] = _details(ids, column)
    return found


def _reasons(ids: tuple[str, ...], column: ScoredMetric) -> dict[str, str]:
    rows = zip(ids, column.scores, strict=True)
    return {key: score.reason for key, score in rows if score.reason}


def _details(ids: tuple[str, ...], column: ScoredMetric) -> dict[str, Mapping[str, Any]]:
    rows = zip(ids, column.scores, strict=True)
    return {key: dict(score.detail) for key, score in rows if score.detail}


def beside(path: Path) -> Path | None:
    """The JSON file that belongs to a file of scores; None for a pipe or a device."""
    if path.exists() and not path.is_file():
        return None
    return path.with_suffix(".json")


def output_problems(path: Path | None, pairs: Path) -> list[str]:
    """Return why the files cannot be written, so that it is reported before the work starts."""
    if path is None:
        return []
    if not os.access(path.parent, os.W_OK) or path.is_dir():
        return [f"{path}:0: cannot be written; name a file in a folder that exists and takes it."]
    about = beside(path)
    if about is None:
        return []
    if about == path:
        return [f"{path}:0: is the name of the JSON beside the CSV; name the CSV otherwise."]
    if about.resolve() == pairs.resolve() or not _is_ours(about):
        return [f"{about}:0: would be overwritten by the signatures; give -o another name."]
    return []


def _is_ours(about: Path) -> bool:
    """Whether the file is missing, or was written beside earlier scores."""
    if not about.exists():
        return True
    try:
        found = json.loads(about.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("format") == FORMAT


def write_about(
    path: Path, ids: tuple[str, ...], columns: list[ScoredMetric], *, details: bool
) -> None:
    """Write the JSON beside a file of scores, atomically. Raises OSError."""
    about = beside(path)
    if about is None:
        return
    found = {
        "format": FORMAT,
        "scores": path.name,
        "texts": len(ids),
        "metrics": {column.key: _about(ids, column, details=details) for column in columns},
    }
    with atomic_file(about) as stream:
        stream.write(json.dumps(found, ensure_ascii=False, indent=1).encode() + b"\n")


def summary(n: int, columns: list[ScoredMetric]) -> str:
    """One line per metric: number of scored pairs, their mean, and the corpus score."""
    wide = max(32, *(len(column.key) for column in columns))
    lines = [f"{'metric':<{wide}} {'scored':>7} {'undefined':>9} {'mean':>9} {'corpus':>9}"]
    for column in columns:
        mean, scored = column.mean
        cells = (
            "-" if score is None or score.value is None else f"{score.value:.4f}"
            for score in (mean, column.corpus)
        )
        lines.append(
            f"{column.key:<{wide}} {scored:>7} {n - scored:>9} "
            + " ".join(f"{cell:>9}" for cell in cells)
        )
    lines += [f"{column.key}: {column.signature}" for column in columns]
    return "\n".join(lines)
