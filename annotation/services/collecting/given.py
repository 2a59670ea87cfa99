"""A whole sheet in one request: what is asked, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from annotation.errors import DomainError
from annotation.services.collecting.saving import Answer, Saved

MOST_ANSWERS = 500


@dataclass(frozen=True, slots=True)
class Given:
    """One answer of a request, with the version that it replaces and its own UUID."""

    request_id: UUID
    substitution: UUID
    scale: UUID
    base_version: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Stored:
    """What a request left: for each answer, in the order sent, what is stored or why it is not.

    `state` is the sheet's state as its annotator may know it, claimed or done. `refusal` says why
    the sheet was not handed in although every answer stands.
    """

    answers: tuple[Saved | DomainError, ...]
    state: str
    refusal: DomainError | None = None
