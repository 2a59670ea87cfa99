"""Reports of imports."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import PurePath
from typing import Any, BinaryIO, TypeVar

from annotation.importers import Problem
from annotation.models import Campaign, ImportBatch
from annotation.services.audit import Actor, audit

T = TypeVar("T")
LOOKUP = 900  # SQLite allows 999 values in an IN list.


@dataclass(frozen=True, slots=True)
class AddedText:
    """One text, and what is new of it: systems that gave it, or values."""

    text: str
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextChange:
    """What one original gets. `new`: the original is new too. `line` is where the file names it
    first; `before` and `after` are the sentence around the phrase."""

    line: int
    new: bool
    before: str
    phrase: str
    after: str
    texts: tuple[AddedText, ...]
    references: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of an import; `counts` are the new rows (in a dry run, those that would be new).

    If `problems` has an error, nothing was written. `changes` are reported by a dry run: the first
    texts that change.
    """

    problems: tuple[Problem, ...]
    rows: int
    counts: dict[str, int] = field(default_factory=dict)
    dry_run: bool = False
    batch: ImportBatch | None = None
    changes: tuple[TextChange, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings are allowed."""
        return not any(problem.severity == "error" for problem in self.problems)


def pieces(values: Iterable[T], size: int = LOOKUP) -> Iterator[list[T]]:
    """Yield the values in lists of at most `size`."""
    pile = iter(values)
    while part := list(islice(pile, size)):
        yield part


def digest_of(stream: BinaryIO) -> str:
    """Return the SHA-256 of the stream and rewind it."""
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
    provenance: Mapping[str, Any] | None = None,
    pk: int | None = None,
) -> ImportBatch:
    """Create the row that records the imported file, without the folders of the machine that a
    command ran on; call it inside the first write. `provenance` says how the file was made, if it
    was made here; `pk` is a reserved id."""
    name = PurePath(name).name[:255]
    batch = ImportBatch.objects.create(
        pk=pk,
        campaign=campaign,
        what=what,
        file_name=name,
        sha256=sha256,
        rows=rows,
        counts=counts,
        provenance=dict(provenance or {}),
        created_by_id=actor.pk if actor else None,
    )
    audit(
        actor=actor, verb=f"import {what}", about=batch, campaign=campaign,
        file=name, sha256=sha256, **counts,
    )  # fmt: skip
    return batch


def errors_first(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Sort errors before warnings, each in file order."""
    return tuple(sorted(problems, key=lambda problem: problem.severity != "error"))
