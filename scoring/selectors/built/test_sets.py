"""Test sets that were built: which there are, and what the preview of one shows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Campaign
from annotation.selectors.access import User
from paraanno.plain.sentence import revived
from scoring.building.test_sets import FIGURES
from scoring.models import Build
from scoring.selectors.builds import build_get, builds_shown
from scoring.selectors.resources import plain_file

RECIPE = "test_set"
SHOWN_PHRASES = 20
KEPT_OPTIONS = ("n", "seed", "contexts", "lm_weight", "lm_per_word")


@dataclass(slots=True)
class ShownItem:
    """A sentence with a phrase in it, and what each system gives in its place ("": nothing)."""

    before: str
    phrase: str
    after: str
    outputs: list[tuple[str, str]] = field(default_factory=list)

    def texts(self) -> list[tuple[str, list[str]]]:
        """The different texts, each with the systems that give it."""
        found: dict[str, list[str]] = {}
        for system, text in self.outputs:
            found.setdefault(text, []).append(system)
        return list(found.items())


@dataclass(frozen=True, slots=True)
class Preview:
    """The figures of a test set (scoring/building/test_sets/figures.py, with the number of
    sentences and warnings), and its first phrases with their items."""

    figures: Mapping[str, Any]
    phrases: tuple[tuple[str, tuple[ShownItem, ...]], ...]

    def steps(self) -> list[tuple[str, int, int]]:
        """Each cut-off with the phrases that it removed and that were left, in order."""
        left, found = int(self.figures["every"]), []
        for name, removed in self.figures["removed"].items():
            left -= removed
            found.append((name, removed, left))
        return found

    def coverage(self) -> list[tuple[str, int, float]]:
        """Each system with the items that it gave a paraphrase for, and their share."""
        items = int(self.figures["items"])
        return [(name, n, n / items) for name, n in self.figures["coverage"].items()]


def test_set_builds(*, user: User, campaign: Campaign) -> list[Build]:
    """The newest that are being made, failed within a day, or were made and are still there."""
    return builds_shown(user=user, campaign=campaign, recipe=RECIPE, is_there=is_there)


def test_set_get(*, user: User, campaign: Campaign, key: UUID | str) -> Build:
    """The build of a test set; NotFound for builds of other things too."""
    build = build_get(user=user, campaign=campaign, key=key)
    if build.recipe != RECIPE:
        raise NotFound(_("There is no such build."))
    return build


def is_there(build: Build) -> bool:
    """Whether a test set was made, and has not been removed since."""
    return build.resource is not None and (build.resource.stored / FIGURES).exists()


def preview(*, build: Build) -> Preview | None:
    """What there is to see of a test set; None if it is not there (any more)."""
    resource = build.resource
    if resource is None or not is_there(build) or (path := plain_file(resource=resource)) is None:
        return None
    with path.open(encoding="utf-8") as stream:
        shown = tuple(_phrases(map(json.loads, stream)))
    figures = json.loads((resource.stored / FIGURES).read_text(encoding="utf-8"))
    return Preview(revived(figures), shown)


def provenance(*, build: Build, figures: Mapping[str, Any]) -> dict[str, Any]:
    """What an import keeps of how the test set was made."""
    names = ("asked", "every", "removed", "cut_offs", "lowered", "phrases", "items", "sentences")
    return {
        "recipe": RECIPE,
        "signature": build.signature,
        "options": {name: build.options[name] for name in KEPT_OPTIONS},
        **{name: figures[name] for name in names},
    }


def _phrases(rows: Iterator[Mapping[str, Any]]) -> Iterator[tuple[str, tuple[ShownItem, ...]]]:
    """The first phrases; rows of an item, and items of a phrase, follow each other."""
    of_phrase = groupby(rows, key=lambda row: (row["item"].partition(".")[0], row["phrase"]))
    for _number, ((_phrase, phrase), mine) in zip(range(SHOWN_PHRASES), of_phrase, strict=False):
        items = []
        for _name, outputs in groupby(mine, key=lambda row: row["item"]):
            item: ShownItem | None = None
            for row in outputs:
                if item is None:
                    sentence, start, end = row["sentence"], row["start"], row["end"]
                    item = ShownItem(sentence[:start], sentence[start:end], sentence[end:])
                    items.append(item)
                item.outputs.append((row["system"], row.get("paraphrase", "")))
        yield phrase, tuple(items)
