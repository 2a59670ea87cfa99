"""Import of scores made elsewhere, as finished runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import BinaryIO

from django.db import IntegrityError
from django.db.models import Max, Min
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, short_write
from annotation.errors import Conflict, Invalid
from annotation.importers.judgments import ScoreRow, ScoresParsed, column_label, read_scores
from annotation.importing.report import (
    ImportReport,
    Targets,
    digest_of,
    errors_first,
    load_targets,
    pieces,
)
from annotation.models import Campaign, Output, Substitution, System
from paraanno.common.progress import counted, steps
from paraanno.common.records import columns
from paraanno.common.texts import Problem, Sentence, say, shown
from scoring.metrics.values import Score as Value
from scoring.metrics.values import Signature, mean_score
from scoring.models import Run, RunChunk, Score, SystemScore
from scoring.models.runs import EXTERNAL, run_options_hash

# Match imported scores with the campaign's texts and systems.


@dataclass(slots=True)
class ScoreColumn:
    """The scores of one column: by substitution, and by system for system scores."""

    texts: dict[int, float] = field(default_factory=dict)
    systems: dict[int, float] = field(default_factory=dict)


def columns_of(
    *, campaign: Campaign, parsed: ScoresParsed, name: str
) -> tuple[dict[str, ScoreColumn], list[Problem]]:
    """The scores by column, and the lines that contradict the campaign or each other."""
    by_column = {column: ScoreColumn() for column in parsed.columns}
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
                (by_column[column].texts if kind == "text" else by_column[column].systems)[pk] = (
                    value
                )
    if not problems:
        empty = [
            column
            for column in by_column
            if not (by_column[column].texts or by_column[column].systems)
        ]
        none = say("holds no score: fill it in or take it out")
        problems += [Problem(name, 1, column, none) for column in empty]
    return by_column, problems


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


NO_SCORE = say("The file has no score for this text.")
NOT_FINISHED = say("This import has not finished: import the file again.")
ROWS_PER_WRITE = 5000


@dataclass(frozen=True, slots=True)
class ScoresReport(ImportReport):
    """`runs` has one run per score column, in the order of the file: a new one, or an existing one
    with the same scores. Empty after a dry run or an error."""

    runs: tuple[Run, ...] = ()

    @property
    def written(self) -> bool:
        """Whether the campaign was changed."""
        return bool(self.runs) and any(self.counts.values())


@dataclass(frozen=True, slots=True)
class Named:
    """A column of scores with its name in tables."""

    campaign: Campaign
    label: str
    lower: bool
    sha256: str
    column: ScoreColumn

    @property
    def signature(self) -> str:
        better = "lower" if self.lower else "higher"
        options = (("name", self.label), ("better", better))
        return str(Signature(EXTERNAL, options, resources=(("file", self.sha256),)))

    @property
    def options(self) -> dict[str, str]:
        """Options that identify imports of one name: the newest replaces the others."""
        return {"name": self.label}

    @property
    def options_hash(self) -> str:
        return run_options_hash(EXTERNAL, self.options, Run.Scope.SENTENCE)


def scores_import(
    *,
    campaign: Campaign,
    stream: BinaryIO,
    name: str,
    actor: Actor,
    label: str = "",
    higher_is_better: bool = True,
    lower: Collection[str] = (),
    format: str | None = None,
    raw: bool = False,
    dry_run: bool = False,
) -> ScoresReport:
    """Import a file of scores from a seekable byte stream; each column becomes a finished run.

    `label` names the column `score` (default: the file's name without its suffix). Without
    `higher_is_better` lower is better in all columns; `lower` names single columns `score.NAME` for
    which lower is better. Every output gets a score; outputs missing from the file are undefined,
    with that reason. The same scores under the same name are not imported twice, and newer ones
    under the same name replace the older ones in tables.
    """
    sha256 = digest_of(stream)
    label = label.strip()[:200] or PurePath(name).stem[:200]
    parsed = read_scores(stream, name=name, format=format, raw=raw)
    if not parsed.ok:
        return ScoresReport(parsed.problems, len(parsed.rows), dry_run=dry_run)
    labels = _labels(parsed, label, lower)
    by_column, problems = columns_of(campaign=campaign, parsed=parsed, name=name)
    every = [
        Named(campaign, each, not higher_is_better or each in lower, sha256, by_column[column])
        for column, each in labels.items()
    ]
    have = {each.label: _same(each) for each in every}
    new = [each for each in every if have[each.label] is None]
    counts = {
        "scores": sum(len(each.column.texts) for each in new),
        "system_scores": sum(len(each.column.systems) for each in new),
    }
    all_problems = errors_first([*parsed.problems, *problems])
    report = ScoresReport(all_problems, len(parsed.rows), counts, dry_run)
    if dry_run or not report.ok:
        return report
    for each in steps(new):
        have[each.label] = _store(each, actor=actor, file=name)
    runs = tuple(run for run in have.values() if run is not None)
    return ScoresReport(all_problems, len(parsed.rows), counts, runs=runs)


def runs_json(report: ImportReport) -> dict[str, list[str]]:
    """What a stored report says beside that of other imports: the keys of its runs."""
    runs = report.runs if isinstance(report, ScoresReport) else ()
    return {"runs": [str(run.key) for run in runs]}


def _labels(parsed: ScoresParsed, label: str, lower: Collection[str]) -> dict[str, str]:
    """The names of the columns. Raises Invalid if they, or `lower`, are ambiguous."""
    labels = {column: column_label(column, label) for column in parsed.columns}
    names = list(labels.values())
    twice = next((one for one in names if names.count(one) > 1), None)
    if twice is not None:
        raise Invalid(
            _("Two columns would be called %(name)s: give another name.") % {"name": twice}
        )
    unknown = [one for one in lower if one not in names]
    if unknown:
        raise Invalid(
            _("The file has no scores called %(unknown)s; it has %(names)s.")
            % {"unknown": ", ".join(unknown), "names": ", ".join(names)}
        )
    return labels


def _same(named: Named) -> Run | None:
    """The newest import of that name, if its scores are equal."""
    newest = (
        Run.objects.filter(
            campaign=named.campaign, status=Run.Status.DONE, options_hash=named.options_hash
        )
        .defer("state")
        .order_by("-pk")
        .first()
    )
    return newest if newest is not None and newest.signature == named.signature else None


def _store(named: Named, *, actor: Actor, file: str) -> Run:
    """Write in batches, as a run that counts once the last one is written.

    An interrupted import is marked, and deleted when the next one of that name starts.
    """
    try:
        run, ids = _begin(named, actor)
        scores = (_score(run, pk, named.column.texts.get(pk)) for pk in ids)
        for part in pieces(counted(scores, total=len(ids)), ROWS_PER_WRITE):
            with short_write():
                Score.objects.bulk_create(part, batch_size=500)
        systems = list(_system_scores(run, named.column))
        with short_write():
            SystemScore.objects.bulk_create(systems)
            Run.objects.filter(pk=run.pk).update(
                status=Run.Status.DONE, error="", finished_at=Now()
            )
            audit(
                actor=actor,
                verb="import scores",
                about=run,
                campaign=named.campaign,
                name=named.label,
                file=file[:255],
                sha256=named.sha256,
            )
    except IntegrityError as error:
        raise Conflict(
            _("The same scores were imported at the same time: import them again.")
        ) from error
    run.refresh_from_db()
    return run


def _begin(named: Named, actor: Actor) -> tuple[Run, list[int]]:
    """Create the run; return it with the ids of all texts that need a score."""
    campaign = named.campaign
    outputs = Substitution.objects.filter(campaign=campaign, role=Substitution.Role.OUTPUT)
    span = outputs.aggregate(first=Min("item_id"), last=Max("item_id"))
    ids = list(outputs.order_by("item_id", "pk").values_list("pk", flat=True))
    left = Run.objects.filter(
        campaign=campaign, status=Run.Status.FAILED, options_hash=named.options_hash
    )
    with short_write():
        left.delete()
        run = Run.objects.create(
            campaign=campaign,
            metric=EXTERNAL,
            label=named.label,
            options=named.options,
            options_hash=named.options_hash,
            signature=named.signature,
            higher_is_better=not named.lower,
            status=Run.Status.FAILED,
            error=NOT_FINISHED,
            total=len(ids),
            done=len(ids),
            last_substitution=max(ids),
            started_at=Now(),
            finished_at=Now(),
            created_by_id=actor.pk if actor else None,
        )
        RunChunk.objects.create(
            run=run,
            number=0,
            first_item=span["first"],
            last_item=span["last"],
            total=len(ids),
            done=len(ids),
            status=RunChunk.Status.DONE,
        )
    return run, ids


def _score(run: Run, substitution: int, value: float | None) -> Score:
    reason = NO_SCORE if value is None else ""
    return Score(run_id=run.pk, substitution_id=substitution, value=value, reason=reason)


def _system_scores(run: Run, column: ScoreColumn) -> Iterator[SystemScore]:
    """The mean score of every system, and the system scores given in the file.

    A text that a system gave at two ranks counts once.
    """
    made: dict[int, set[int]] = defaultdict(set)
    rows = Output.objects.filter(
        system__campaign=run.campaign_id,
        substitution__role=Substitution.Role.OUTPUT,
        substitution_id__lte=run.last_substitution,
    ).values_list("system_id", "substitution_id")
    for system, substitution in rows.iterator(chunk_size=5000):
        made[system].add(substitution)
    for system in run.campaign.systems.values_list("pk", flat=True):
        texts = sorted(made[system] & column.texts.keys())
        mean, n = mean_score(Value(column.texts[pk]) for pk in texts)
        yield SystemScore(
            run=run,
            system_id=system,
            kind=SystemScore.Kind.MEAN,
            value=mean.value,
            n=n,
            **columns("reason", mean.reason),
        )
        if system in column.systems:
            yield SystemScore(
                run=run,
                system_id=system,
                kind=SystemScore.Kind.CORPUS,
                value=column.systems[system],
                n=len(made[system]),
            )
