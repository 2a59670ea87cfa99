"""Match imported scores with the campaign's texts and systems."""

from __future__ import annotations

from dataclasses import dataclass, field

from annotation.importers import Problem, ScoreRow, ScoresParsed, shown
from annotation.models import Campaign, System
from annotation.services.importing.targets import Targets, load_targets
from paraanno.plain.sentence import Sentence, say


@dataclass(slots=True)
class ScoreColumn:
    """The scores of one column: by substitution, and by system for system scores."""

    texts: dict[int, float] = field(default_factory=dict)
    systems: dict[int, float] = field(default_factory=dict)


def columns_of(
    *, campaign: Campaign, parsed: ScoresParsed, name: str
) -> tuple[dict[str, ScoreColumn], list[Problem]]:
    """The scores by column, and the lines that contradict the campaign or each other."""
    found = {column: ScoreColumn() for column in parsed.columns}
    match = _Match(campaign, parsed)
    seen: dict[tuple[str, object], tuple[int, float | None]] = {}
    problems: list[Problem] = []
    for row in parsed.rows:
        owner = match.find(row)
        if isinstance(owner, Sentence):
            problems.append(Problem(name, row.line, None, owner))
            continue
        for column in parsed.columns:
            value = row.values.get(column)
            line, before = seen.setdefault((column, owner), (row.line, value))
            if before != value:
                problems.append(Problem(name, row.line, column, _twice(line, before, value)))
            elif value is not None:
                kind, pk = owner
                (found[column].texts if kind == "text" else found[column].systems)[pk] = value
    if not problems:
        empty = [column for column in found if not (found[column].texts or found[column].systems)]
        none = say("holds no score: fill it in or take it out")
        problems += [Problem(name, 1, column, none) for column in empty]
    return found, problems


class _Match:
    def __init__(self, campaign: Campaign, parsed: ScoresParsed) -> None:
        self._targets: Targets = load_targets(
            campaign=campaign, targets=[row.target for row in parsed.rows if row.target]
        )
        self._systems = dict(
            System.objects.filter(campaign=campaign).order_by("label").values_list("label", "pk")
        )
        self._speaking = set(
            System.objects.filter(
                campaign=campaign,
                outputs__substitution__isnull=False,
                outputs__substitution__role="output",
            ).values_list("pk", flat=True)
        )

    def find(self, row: ScoreRow) -> tuple[str, int] | Sentence:
        """The text or system of a line, or the error."""
        if row.target is not None:
            pk = self._targets.find(row.target)
            return pk if isinstance(pk, Sentence) else ("text", pk)
        label = row.system or ""
        system = self._systems.get(label)
        if system is None:
            return say(
                "the campaign has no system %(system)s, it has %(systems)s: correct the label",
                system=shown(label),
                systems=", ".join(map(shown, list(self._systems)[:20])),
            )
        if system not in self._speaking:
            return say(
                "the system %(system)s has no text in the campaign: take the line out",
                system=shown(label),
            )
        return "system", system


def _twice(line: int, before: float | None, value: float | None) -> Sentence:
    return say(
        "%(value)s here and %(before)s in line %(line)s for the same text or system: keep one",
        value=say("nothing") if value is None else f"{value:g}",
        before=say("nothing") if before is None else f"{before:g}",
        line=line,
    )
