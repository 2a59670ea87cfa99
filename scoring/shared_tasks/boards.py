"""Score submissions in a worker, and compute boards: the public one after each submission, the
final one once, after closing.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import override

import paraanno
from annotation.campaigns.services import campaign_create
from annotation.campaigns.templating.parts import TEMPLATES
from annotation.database import Actor, audit, short_write
from annotation.errors import Conflict, Invalid
from annotation.importing.items import items_import
from annotation.models import Campaign
from paraanno.common.texts import say
from paraanno.jobs.engine import Claim
from scoring.agreement.report import agreement_for
from scoring.exports.design import facts_get
from scoring.metrics.registry import from_spec
from scoring.metrics.values import Pair, mean_score
from scoring.paper.datasheet import datasheet, datasheet_json
from scoring.ratings.choice import Choice
from scoring.ratings.tables import ratings_get
from scoring.shared_tasks.freeze import certificate_of
from scoring.shared_tasks.judged import judged_texts
from scoring.shared_tasks.models import SharedTask, Submission, TaskBoard, TaskFile, Track
from scoring.shared_tasks.submissions import (
    OF_NBEST,
    answers_kept,
    board_ask,
    board_state,
    content_add,
    content_data,
    doubles,
    file_add,
    file_bytes,
    frozen_get,
    packed_of,
    texts_kept,
)
from scoring.stats.agreement.catalogue import coefficients
from scoring.stats.shared_tasks.board import MOST_ROWS, Frozen, Ratios, board_rows
from scoring.stats.shared_tasks.measures import Settings, SubmittedValues, measured
from scoring.stats.shared_tasks.submissions import part_of
from scoring.stats.shared_tasks.white import from_numbers, white_tables
from scoring.stats.table import FloatArray

# Metrics beside people: how submitted paraphrases overlap with originals and references.


AGAINST_ORIGINAL = ("bleu", "chrf", "ter")
AGAINST_REFERENCES = ("bleu", "nist", "meteor", "ter", "chrf")


def overlap_of(task: SharedTask, frozen: Frozen, texts: Sequence[str]) -> dict[str, float | None]:
    """Mean scores of paraphrases, one of each original, by name of metric.

    Against the references where every original has one, and against the originals; close to the
    original is no merit, so nothing is ranked by it.
    """
    language = task.campaign.language
    pairs = [
        Pair(original, text, tuple(references), language=language)
        for original, text, references in zip(
            frozen.original_texts, texts, frozen.references, strict=True
        )
    ]
    specs = [f"{name}:against=original" for name in AGAINST_ORIGINAL]
    if all(pair.references for pair in pairs):
        specs += [f"{name}:against=references" for name in AGAINST_REFERENCES]
    means: dict[str, float | None] = {}
    for spec in specs:
        metric = from_spec(spec, [language] if language else None)
        metric.load()
        if metric.needs_state:
            metric.use(metric.prepare(pairs))
        mean, _n = mean_score(metric.score_many(pairs))
        means[metric.labelled(spec)] = mean.value
    return means


def submission_work(claim: Claim) -> None:
    """Score a submission on the public part."""
    submission: Submission = claim.row
    frozen = frozen_get(task=submission.track.task)
    if submission.baseline:
        answers = doubles(baseline_scores(submission=submission, frozen=frozen))
    else:
        answers = answers_kept(submission=submission, frozen=frozen)
    public = _public(submission, frozen, answers)
    packed = packed_of(answers) if submission.answers is None else None
    with short_write():
        claim.check()
        stored = {} if packed is None else {"answers": content_add(packed)}
        claim.close(public=public, **stored)


def submission_over(submission: Submission) -> None:
    """Have the board made that waited for it."""
    board_ask(task=submission.track.task)


def _public(submission: Submission, frozen: Frozen, answers: bytes) -> dict[str, Any]:
    """What the team is shown at once."""
    track = submission.track
    if track.measure == Track.Measure.PEOPLE:
        return {"metrics": overlap_of(track.task, frozen, json.loads(answers))}
    rule: Any = track.task.gold
    rows = measured(
        frozen,
        {submission.label: from_numbers(submission.form, answers)},
        Settings(track.measure, rule, "public", permutations=0),
    )
    shown = ("value", "strict", "half", "ci_low", "ci_high")
    return {name: rows[0].get(name) for name in shown} if rows else {}


# The scores of baselines.


UNKNOWN = "en"  # What METEOR reads where nobody has named the language of the texts.
NO_SCORE = say("The metric gives no text a score.")


def baseline_scores(*, submission: Submission, frozen: Frozen) -> FloatArray:
    """The (T,) scores of a metric against the originals, larger being better.

    A text that the metric gives no score gets the least one, so that it wins no pair.
    """
    task = submission.track.task
    language = task.campaign.language or UNKNOWN
    pairs = [
        Pair(frozen.original_texts[at], text, language=language)
        for at, text in zip(frozen.original.tolist(), frozen.texts, strict=True)
    ]
    if submission.baseline != OF_NBEST:
        # A board names no options: METEOR is the one with WordNet, or none.
        whole = ":lookup=stems" if submission.baseline == "meteor" else ""
        return _scores(f"{submission.baseline}{whole}", pairs)
    files = TaskFile.objects.filter(task=task, role=TaskFile.Role.NBEST)
    file = files.filter(track__in=[submission.track]).first() or files.get(track=None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "nbest.tsv")
        path.write_bytes(file_bytes(file))
        return _scores(f"{OF_NBEST}:nbest={path}", pairs)


def _scores(spec: str, pairs: list[Pair]) -> FloatArray:
    order = sorted(range(len(pairs)), key=lambda at: pairs[at].original)
    metric = from_spec(spec, [pairs[0].language] if pairs else None)
    metric.load()
    together = [pairs[at] for at in order]
    if metric.needs_state:
        metric.use(metric.prepare(together))
    values = np.full(len(pairs), np.nan)
    for at, score in zip(order, metric.score_many(together), strict=True):
        if score.value is not None:
            values[at] = score.value if metric.higher_is_better else -score.value
    if not np.isfinite(values).any():
        raise ValueError(NO_SCORE)
    return np.where(np.isnan(values), float(np.nanmin(values)), values)


# The datasheet of a task: HEDS with the agreement behind its gold, as of when it was frozen.


ROLE = TaskFile.Role.DATASHEET


def datasheet_make(*, task: SharedTask) -> list[TaskFile]:
    """Make `heds.json` and `datasheet.md`, in place of earlier ones. A worker calls it.

    Of a systems task they are about the campaign in which people judged, else about the task's,
    with the judgments that counted when it was frozen.
    """
    campaign, choice = task.campaign, Choice()
    if task.kind == SharedTask.Kind.SYSTEMS:
        campaign = task.judged_in or task.campaign
    elif task.frozen_at is not None:
        choice = Choice(as_of=task.frozen_at.isoformat())
    with override("en"):
        facts = facts_get(campaign=campaign, ratings=ratings_get(campaign=campaign, choice=choice))
        report = agreement_for(campaign=campaign, choice=choice)
        names = {key: one.printed for key, one in coefficients().items()}
        signature = f"paraanno {paraanno.__version__} (task {task.fingerprint[:12]})"
        sheet = datasheet(facts, report, names=names, signature=signature)
        data = datasheet_json(facts, report, names=names, signature=signature)
    text = json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    with short_write():
        TaskFile.objects.filter(task=task, role=ROLE).delete()
        return [
            file_add(task=task, role=ROLE, name=name, data=content.encode())
            for name, content in (("heds.json", text), ("datasheet.md", sheet))
        ]


# Systems tasks: submissions that people judge, and their rows by what people thought.


def judged_submissions(*, task: SharedTask) -> list[Submission]:
    """What is judged: of each team the submission that counts."""
    rows = Submission.objects.filter(track__task=task, withdrawn_at=None, status="done")
    by_team: dict[int, Submission] = {}
    for one in rows.select_related("team", "track", "content").order_by("primary", "pk"):
        by_team[one.team_id] = one
    return sorted(by_team.values(), key=lambda one: one.pk)


def round_open(
    *, task: SharedTask, slug: str, originals: int, template: str = "sentence", actor: Actor
) -> Campaign:
    """Make the campaign in which people judge the submissions of a systems task that is closed.

    So many originals are drawn with the task's seed; all submissions of a drawn original are in,
    equal paraphrases once. Annotators see neither teams nor how many made a text. Raises Conflict
    if the task is not closed or has its campaign already, Invalid where nothing can be judged.
    """
    if task.kind != SharedTask.Kind.SYSTEMS or task.state != SharedTask.State.CLOSED:
        raise Conflict(
            _("A round of judging can be opened only for a systems task that is closed.")
        )
    if task.judged_in_id is not None:
        raise Conflict(_("The submissions are being judged already."))
    if template not in TEMPLATES:
        raise Invalid(_("There is no template %(name)s.") % {"name": template})
    rows = _drawn_rows(task, originals)
    campaign = campaign_create(
        actor=actor,
        slug=slug,
        name=_("%(title)s: judging") % {"title": task.title},
        template=template,
        language=task.campaign.language,
    )
    stream = io.BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode())
    report = items_import(
        campaign=campaign, stream=stream, name=f"{task.slug}.jsonl", format="jsonl", actor=actor
    )
    if not report.ok:
        raise Invalid("\n".join(map(str, report.problems[:5])))
    with short_write():
        done = SharedTask.objects.filter(pk=task.pk, judged_in=None).update(judged_in=campaign)
        if not done:
            raise Conflict(_("The submissions are being judged already."))
        audit(actor=actor, verb="open round", about=task, campaign=task.campaign, into=slug)
    return campaign


def _drawn_rows(task: SharedTask, originals: int) -> list[dict[str, Any]]:
    submissions = judged_submissions(task=task)
    if len(submissions) < 2:
        raise Invalid(_("At least two teams need a submission that was accepted."))
    frozen = frozen_get(task=task)
    rng = np.random.default_rng(task.seed)
    drawn = rng.permutation(len(frozen.originals))[: max(1, originals)]
    rows = []
    for one in submissions:
        texts = texts_kept(submission=one, frozen=frozen)
        rows += [
            {
                "item": frozen.originals[at],
                "sentence": frozen.original_texts[at],
                "paraphrase": " ".join(texts[at].split()),
                "system": str(one.key),
            }
            for at in drawn.tolist()
        ]
    order = rng.permutation(len(rows))
    return [rows[at] for at in order]


def people_rows(*, task: SharedTask, track: Track) -> list[dict[str, Any]]:
    """Rows of the board by people: the mean over originals of gold, from 0 to 1 on each scale.

    Submissions are compared on the originals that were drawn. Before anything was judged they have
    no value, and the further ones of a team, which nobody judges, never have one.
    """
    named = {str(one.key): one for one in judged_submissions(task=task)}
    shown = shown_submissions(track)
    same = _same_bytes(shown)
    columns: dict[str, Any] = {}
    if task.judged_in is not None:
        judged = judged_texts(campaign=task.judged_in, scales=[], copies=True).judged
        places, original = np.unique(judged.original, return_inverse=True)
        for unit, system in judged.made:
            label = judged.systems[system]
            if label in named:
                top, bottom = columns.setdefault(label, np.zeros((2, places.size)))
                top[original[unit]] += judged.value[unit]
                bottom[original[unit]] += 1
    rows = []
    if columns:
        # Each original counts once, however often a system answered it.
        bottom = np.column_stack([(pair[1] > 0) * 1.0 for pair in columns.values()])
        top = np.column_stack([pair[0] / np.maximum(pair[1], 1) for pair in columns.values()])
        rows = [dict(row) for row in board_rows(Ratios(list(columns), top, bottom), seed=1)]
    ranked = [(named[str(row["submission"])], row) for row in rows]
    ranked += [(one, {}) for label, one in named.items() if label not in columns]
    return [
        {
            "value": None,
            "ci_low": None,
            "ci_high": None,
            **UNRANKED,
            **row,
            **about(one, label in named, same),
            "metrics": (one.public or {}).get("metrics", {}),
        }
        for label, one, row in [
            *((str(one.key), one, row) for one, row in ranked),
            *((one.label, one, {}) for one in shown if one.label not in named),
        ]
    ]


# Boards: the submissions that count, ranked, and below them the others.


PERMUTATIONS = {"public": 2_000, "final": 10_000}
UNRANKED: dict[str, Any] = {"rank_low": None, "rank_high": None, "group": "", "letters": ""}
Part = TaskBoard.Part


def board_work(claim: Claim) -> None:
    """Make a board; the final one gives every row its certificate."""
    board: TaskBoard = claim.row
    task, final = board.task, board.part == Part.FINAL
    claim.tell(now=True, state_hash=board_state(task))
    content = board_content(task=task, part=board.part)
    if final:
        datasheet_make(task=task)
    rows = [row for track in content["tracks"].values() for row in track["rows"]]
    with short_write():
        claim.close(content=content)
        for row in rows if final else ():
            Submission.objects.filter(key=row["key"]).update(
                final=certificate_of(task=task, row=row)
            )


def board_content(*, task: SharedTask, part: str) -> dict[str, Any]:
    """The boards of all tracks on one part: `tracks` by name, each with its rows, the best first.

    The final one has the tests of White 2012 too; while a task is open there are no p-values.
    """
    frozen = frozen_get(task=task)
    tracks = {}
    for track in task.tracks.all():
        if track.measure == Track.Measure.PEOPLE:
            rows = people_rows(task=task, track=track) if part == "final" else _beside(track)
            tracks[track.name] = {"measure": track.measure, "rows": rows}
            continue
        tracks[track.name] = _track(task, track, frozen, part)
    return {"tracks": tracks}


def shown_submissions(track: Track) -> list[Submission]:
    """Those on the board: primary ones (or the last, where none was chosen), then the newest, at
    most MOST_ROWS."""
    done = Submission.objects.filter(track=track, withdrawn_at=None, status="done")
    # Of hundreds most are on no board: their numbers are not read.
    rows = list(done.order_by("-pk").values_list("pk", "team_id", "primary", "baseline"))
    chosen = {team for _pk, team, primary, _baseline in rows if primary}
    first: dict[int, int] = {}
    for pk, team, primary, baseline in rows:
        if primary or (team not in chosen and team not in first):
            first[team if not baseline else -pk] = pk
    counts = list(first.values())
    on = set(counts)
    others = [pk for pk, *_about in rows if pk not in on]
    wanted = counts + others[: max(0, MOST_ROWS - len(counts))]
    submissions = done.select_related("team", "answers").in_bulk(wanted)
    return [submissions[pk] for pk in wanted if pk in submissions]


def about(one: Submission, primary: bool, same: Mapping[str, str]) -> dict[str, Any]:
    """What a row says about its submission; `equal_to` is the key of the first with its bytes."""
    return {
        "team": one.team.name,
        "submission": one.name,
        "key": str(one.key),
        "baseline": bool(one.baseline),
        "primary": primary,
        "sha256": one.sha256,
        "equal_to": same.get(one.label),
    }


def _same_bytes(rows: list[Submission]) -> dict[str, str]:
    """By key, the first submission that has the same bytes, for all but the first."""
    first: dict[str, str] = {}
    return {
        one.label: first[one.sha256]
        for one in sorted(rows, key=lambda one: one.pk)
        if one.sha256 and first.setdefault(one.sha256, one.label) != one.label
    }


def _beside(track: Track) -> list[dict[str, Any]]:
    """Rows of a systems task before people have judged: in order of names, without a value."""
    done = Submission.objects.filter(track=track, withdrawn_at=None, status="done")
    rows = list(done.select_related("team").order_by("team__name", "number"))
    counted, same = _counted(rows), _same_bytes(rows)
    return [
        {
            **UNRANKED,
            **about(one, one.pk in counted, same),
            "metrics": (one.public or {}).get("metrics", {}),
        }
        for one in rows
    ]


def _track(task: SharedTask, track: Track, frozen: Frozen, part: str) -> dict[str, Any]:
    """The submissions that count and the baselines, ranked; below them the further ones, which
    are in no test, so that what a team sends besides changes nothing for the others."""
    shown = {one.label: one for one in shown_submissions(track)}
    counted, same = _counted(list(shown.values())), _same_bytes(list(shown.values()))
    answers: dict[str, SubmittedValues] = {}
    further: dict[str, SubmittedValues] = {}
    for label, one in shown.items():
        if one.answers is not None:
            part_of_board = answers if one.pk in counted else further
            part_of_board[label] = from_numbers(one.form, content_data(one.answers))
    rule: Any = task.gold
    how = Settings(track.measure, rule, part, permutations=PERMUTATIONS[part], seed=1)
    rows: list[dict[str, Any]] = [dict(row) for row in measured(frozen, answers, how)]
    ranked = [str(row["submission"]) for row in rows]
    below = sorted(
        measured(frozen, further, replace(how, permutations=1)),
        key=lambda row: (-(row["value"] or 0.0), shown[row["submission"]].pk),
    )
    rows += [{**row, **UNRANKED} for row in below]
    content: dict[str, Any] = {
        "measure": track.measure,
        "originals": int(part_of(frozen, part).sum()),
        "ceiling": frozen.ceiling.get(track.measure, {}).get(part),
        "rows": [
            {**row, **about(one, one.pk in counted, same)}
            for row in rows
            for one in [shown[row["submission"]]]
        ],
    }
    if part == "final" and track.of_pairs and rows:
        names = {n: one.name if one.baseline else str(one) for n, one in shown.items()}
        content["white"] = white_tables(
            frozen,
            answers,
            how,
            ranked=ranked,
            baselines=[n for n, one in shown.items() if one.baseline],
            shown=names,
        )
        other = Settings(
            track.measure,
            "majority" if rule == "sum" else "sum",
            part,
            intervals=False,
            permutations=1,
        )
        content["other_rule"] = {
            row["submission"]: row.get("half") for row in measured(frozen, answers | further, other)
        }
    return content


def _counted(rows: list[Submission]) -> set[int]:
    """The primary submission of each team: the chosen one, or the last."""
    by_team: dict[int, Submission] = {}
    for one in sorted(rows, key=lambda one: (one.primary, one.pk)):
        by_team[one.team_id if not one.baseline else -one.pk] = one
    return {one.pk for one in by_team.values()}


def final_board_again(*, task: SharedTask, actor: Actor) -> TaskBoard:
    """Make the final board once more: of a systems task, after people have judged. Raises Conflict
    for other tasks, whose board is final, unless it failed."""
    board = TaskBoard.objects.filter(task=task, part=Part.FINAL).first()
    failed = board is not None and board.status == TaskBoard.Status.FAILED
    of_people = task.kind == SharedTask.Kind.SYSTEMS and task.state == SharedTask.State.CLOSED
    if not (failed or of_people):
        raise Conflict(_("This board is final."))
    with short_write():
        made = board_ask(task=task, part=Part.FINAL)
        audit(actor=actor, verb="make board again", about=made, campaign=task.campaign)
    return made
