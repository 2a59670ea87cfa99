"""What a test set came to: how many phrases each cut-off left, and what each condition gave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.building.test_sets.building import BuiltItem
from scoring.building.test_sets.drawing import Candidates, Cuts


def figures(
    *, asked: int, every: int, candidates: Candidates, cuts: Cuts, used: Cuts,
    items: Sequence[BuiltItem],
) -> dict[str, Any]:  # fmt: skip
    """The figures as JSON.

    asked, every   phrases asked for, and all phrases of the sentences
    removed        phrases that each cut-off removed, in their order
    cut_offs       those that were used; train_least is None without a training text
    lowered        [name, before, now] of those that were lowered, because too few phrases passed
    phrases, items, texts   what was drawn; texts are distinct paraphrases of an item
    coverage       items for which a system gave a paraphrase, by system
    """
    train = candidates.train is not None
    lowered = [
        [name, getattr(cuts, name), getattr(used, name)]
        for name in ("test_least", "train_least")
        if getattr(cuts, name) != getattr(used, name) and (train or name == "test_least")
    ]
    coverage: dict[str, int] = {}
    for item in items:
        for one in item.outputs:
            if one.rank == 1:
                given = one.choice is not None
                coverage[one.system] = coverage.get(one.system, 0) + given
    return {
        "asked": asked,
        "every": every,
        "removed": dict(candidates.removed),
        "cut_offs": {
            "min_words": used.min_words,
            "max_words": used.max_words,
            "test_least": used.test_least,
            "test_most": used.test_most,
            "train_least": used.train_least if train else None,
        },
        "lowered": lowered,
        "phrases": len({item.drawn.phrase for item in items}),
        "items": len(items),
        "texts": sum(len(item.by_text()) for item in items),
        "coverage": coverage,
    }
