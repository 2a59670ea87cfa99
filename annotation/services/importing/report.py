"""What an import found and did."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, BinaryIO, TypeVar

from annotation.importers import Problem
from annotation.models import Campaign, ImportBatch
from annotation.services.audit import Actor, audit

T = TypeVar("T")
LOOKUP = 900  # SQLite allows 999 values in an IN list.


@dataclass(frozen=True, slots=True)
class ImportReport:
    """`counts` says what is new in the campaign (what would be, in a dry run).

    With errors among `problems` nothing was written.
    """

    problems: tuple[Problem, ...]
    rows: int
    counts: dict[str, int] = field(default_factory=dict)
    dry_run: bool = False
    batch: ImportBatch | None = None

    @property
    def ok(self) -> bool:
        """No error; warnings may be there."""
        return not any(problem.severity == "error" for problem in self.problems)


def pieces(values: Iterable[T], size: int = LOOKUP) -> Iterator[list[T]]:
    """The values in lists of at most `size`."""
    pile = iter(values)
    while part := list(islice(pile, size)):
        yield part


def digest_of(stream: BinaryIO) -> str:
    """SHA-256 of the whole stream, which is left at its beginning."""
    stream.seek(0)
    digest = hashlib.sha256()
    while chunk := stream.read(2**20):
        digest.update(chunk)
    stream.seek(0)
    return digest.hexdigest()


def batch_make(
    *,
    campaign: Campaign,
    what: str,
    name: str,
    sha256: str,
    rows: int,
    counts: dict[str, int],
    actor: Actor,
) -> ImportBatch:
    """The row that remembers the file; call it inside the first write."""
    batch = ImportBatch.objects.create(
        campaign=campaign,
        what=what,
        file_name=name[:255],
        sha256=sha256,
        rows=rows,
        counts=counts,
        created_by_id=actor.pk if actor else None,
    )
    audit(
        actor=actor, verb=f"import {what}", about=batch, campaign=campaign,
        file=name[:255], sha256=sha256, **counts,
    )  # fmt: skip
    return batch


def errors_first(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Errors before warnings, else in the order of the file."""
    return tuple(sorted(problems, key=lambda problem: problem.severity != "error"))


def total(*parts: dict[str, int]) -> dict[str, int]:
    """The sums by name."""
    sums: dict[str, Any] = {}
    for part in parts:
        for name, count in part.items():
            sums[name] = sums.get(name, 0) + count
    return sums
