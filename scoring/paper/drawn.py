"""How the phrases of a campaign were drawn, where the software built the test set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.paper.facts import Facts


def drawn_from(facts: Facts) -> list[str]:
    """A sentence or two for each test set that was imported."""
    return [_one(found) for found in facts.design.test_sets]


def _one(found: Mapping[str, Any]) -> str:
    cuts, options = found["cut_offs"], found["options"]
    passed = f"{cuts['test_least']:,} to {cuts['test_most']:,} times in these sentences"
    if cuts["train_least"] is not None:
        passed += f" and {cuts['train_least']:,} times or more in the training text"
    lowered = "".join(
        f"; {_name(name)} lowered from {before:,} to {now:,} as fewer phrases than asked for passed"
        for name, before, now in found["lowered"]
    )
    removed = ", ".join(f"{name} {count:,}" for name, count in found["removed"].items())
    least, most = cuts["min_words"], cuts["max_words"]
    words = f"{least}" if least == most else f"{least} to {most}"
    return (
        f"{found['phrases']:,} phrases were drawn at random (seed {options['seed']}) from the "
        f"{found['every']:,} distinct phrases of {words} words in {found['sentences']:,} test "
        f"sentences, up to {options['contexts']} sentences each, among those that occur "
        f"{passed}{lowered} (phrases removed: {removed}); the build was {found['signature']}."
    )


def _name(name: str) -> str:
    return {"test_least": "occurrences in the sentences"}.get(
        name, "occurrences in the training text"
    )
