"""Extrinsic evaluations that were made: which there are, and their reports."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Campaign, Substitution
from annotation.selectors.access import User
from paraanno.plain.formulas import unescape
from scoring.building.recipes.extrinsic import OUTCOMES, REPORT, report_of
from scoring.building.texts.table import TextTable, open_texts
from scoring.extrinsic.reading import read_labelled
from scoring.models import Build
from scoring.selectors.builds import build_get, builds_shown

RECIPE = "extrinsic"
SCORED = ("correct", "p_true")  # Outcomes that stand beside metrics.
LOOKED_AT = 20


def extrinsic_builds(*, user: User, campaign: Campaign) -> list[Build]:
    """The newest that are being made, failed within a day, or were made and are still there."""
    return builds_shown(user=user, campaign=campaign, recipe=RECIPE, is_there=_is_there)


def extrinsic_get(*, user: User, campaign: Campaign, key: UUID | str) -> Build:
    """The build of an evaluation; NotFound for builds of other things too."""
    build = build_get(user=user, campaign=campaign, key=key)
    if build.recipe != RECIPE:
        raise NotFound(_("There is no such build."))
    return build


def extrinsic_report(*, build: Build) -> dict[str, Any] | None:
    """The report of an evaluation; None if it is not there (any more)."""
    if build.resource is None or not _is_there(build):
        return None
    return dict(report_of(build.resource.stored))


def outcomes_file(*, build: Build) -> Path:
    """The outcomes of all test texts; NotFound if they are not there."""
    if build.resource is None or not (path := build.resource.stored / OUTCOMES).exists():
        raise NotFound(_("This evaluation is not there: make it again."))
    return path


def outcome_scores(*, campaign: Campaign, build: Build) -> Iterator[dict[str, str | float]]:
    """The outcomes of the paraphrases that are in the campaign, as rows of a file of scores."""
    known = set(
        Substitution.objects.filter(campaign=campaign, role="output").values_list(
            "item__sentence", "text"
        )
    )
    table = _table(build)
    if table is None:
        return
    data = read_labelled(table.path, _columns(build), build.options["label"])
    place = {key: row for row, key in enumerate(data.ids)}
    original = next(iter(data.texts))
    found: dict[tuple[str, str], dict[str, str | float]] = {}
    with outcomes_file(build=build).open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            key, system = unescape(row["id"]), unescape(row["system"])
            at = place[key]
            pair = data.texts[original][at], data.texts[system][at]
            if system == original or pair not in known:
                continue
            mine = found.setdefault(pair, {"sentence": pair[0], "paraphrase": pair[1]})
            for name in SCORED:
                mine[f"score.{name}: {row['classifier']}"] = float(row[name])
    yield from found.values()


def outcomes_fit(*, campaign: Campaign, build: Build) -> bool:
    """Whether one of the first paraphrases of an evaluation is in the campaign, so that their
    outcomes can be beside its metrics."""
    table = _table(build)
    if table is None:
        return False
    original, *systems = _columns(build)
    rows = list(islice(table.rows(), LOOKED_AT))
    return Substitution.objects.filter(
        campaign=campaign, role="output",
        item__sentence__in=[row[original] for row in rows if original in row],
        text__in=[row[system] for row in rows for system in systems if system in row],
    ).exists()  # fmt: skip


def _table(build: Build) -> TextTable | None:
    """The texts that an evaluation is of; None if they were removed."""
    given = build.inputs.filter(role="texts").select_related("resource").first()
    if given is None or given.resource is None or not given.resource.stored.exists():
        return None
    return open_texts(given.resource.stored)


def _columns(build: Build) -> list[str]:
    """The column of the originals, and those of the systems."""
    options = build.options
    return list(dict.fromkeys([options["original"], *options["systems"].split("+")]))


def _is_there(build: Build) -> bool:
    return build.resource is not None and (build.resource.stored / REPORT).exists()
