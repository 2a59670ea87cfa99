"""The fields beside the coefficients in a block of the report of agreement."""

from __future__ import annotations

from paraanno.plain.sentence import PARTS

FIELDS = frozenset({
    "n_units", "n_annotators", "n_ratings", "groups", "answer", "left_out",
    "leads", "unfit", "specific", "extra_ratings",
    "thresholds", "share",  # of the passes
    "influence", "chance",  # on demand
    "distribution", "disputed", "confusions", "course",  # of a campaign
})  # fmt: skip


def is_taken(key: str) -> bool:
    """Whether a coefficient of that name would overwrite a field, or the parts of a sentence."""
    return key in FIELDS or key.endswith(PARTS)
