"""Freeze a task: gold, split, ids and files, which no later judgment changes."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

import numpy as np
from django.utils.translation import gettext as _

import paraanno
from annotation.database import Actor, audit, short_write
from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Campaign
from paraanno import clock
from scoring.paper.reproducible_zip import Bundle
from scoring.paper.tables import escape, latex_table, number, with_interval
from scoring.shared_tasks.access import board_json, board_of, fingerprint_of
from scoring.shared_tasks.judged import judged_texts, originals_of
from scoring.shared_tasks.models import SharedTask, Submission, TaskFile, Team, Track
from scoring.shared_tasks.submissions import (
    baselines_enter,
    content_data,
    file_add,
    frozen_get,
    participant_files,
)
from scoring.stats.shared_tasks.board import (
    Frozen,
    JudgedTexts,
    Rule,
    freeze,
    freeze_placed,
    gold_file,
    originals_file,
    pairs_file,
    references_file,
    text_gold_file,
    texts_file,
    training_files,
)
from scoring.stats.shared_tasks.measures import ceilings

# `train.zip`: texts of another campaign with their gold, for participants.


NAME = "train.zip"


def training_zip(*, task: SharedTask, frozen: Frozen) -> tuple[bytes, dict[str, object]]:
    """The zip of the task's training campaign, and facts of it; empty where there is none.

    Originals that the test has are left out. Raises Conflict for a campaign that is open or a file
    of the organiser with the same name, Invalid where nothing is left.
    """
    campaign = task.train_campaign
    if campaign is None:
        return b"", {}
    if campaign.status == Campaign.Status.OPEN:
        raise Conflict(_("The training campaign is open: close it first."))
    if TaskFile.objects.filter(task=task, track=None, name=NAME).exists():
        raise Conflict(_("The task has a file train.zip already: give it another name."))
    available = set(campaign.scales.values_list("name", flat=True))
    scales = [name for name in task.scales if name in available]
    gold_texts = judged_texts(campaign=campaign, scales=scales)
    # Another seed than the test's: ids of one part must tell nothing about the other.
    seed = task.seed ^ 0x5DEECE66D
    files, left_out = training_files(gold_texts.judged, held_out=frozen.original_texts, seed=seed)
    if not files or not gold_texts.scales:
        raise Invalid(
            _("All judged texts of the training campaign have originals that are in the test too.")
        )
    bundle = Bundle()
    for name, data in files.items():
        bundle.add(name, data)
    stream = io.BytesIO()
    about = {
        "task": task.slug,
        "part": "train",
        "campaign": campaign.name,
        "gold": task.gold,
        "scales": list(gold_texts.scales),
        "licence": task.licence,
        "made_with": f"paraanno {paraanno.__version__}",
    }
    bundle.write(stream, about)
    texts = files["texts.tsv"].count(b"\n") - 1
    return stream.getvalue(), {"train_texts": texts, "train_left_out": left_out}


MOST_PAIRS = 1_000_000
Role = TaskFile.Role
State = SharedTask.State


def task_freeze(*, task: SharedTask, actor: Actor) -> SharedTask:
    """Freeze a draft and open it (from its opening time on, if it has one).

    Raises Conflict for a task that is frozen or a campaign that is open, Invalid where no pair
    could be told apart. Callers check permission first.
    """
    if task.state != State.DRAFT:
        raise Conflict(_("This task is frozen already: nothing changes it."))
    if task.campaign.status == Campaign.Status.OPEN:
        raise Conflict(_("The campaign is open: close it, so that its judgments stay as they are."))
    frozen, facts = _frozen_systems(task) if _of_systems(task) else _frozen_metrics(task)
    training, of_training = training_zip(task=task, frozen=frozen)
    data = frozen.to_bytes()
    files = _files(task, frozen)
    fingerprint = fingerprint_of(
        {"frozen": hashlib.sha256(data).hexdigest()}
        | {name: hashlib.sha256(content).hexdigest() for (_t, name), content in files.items()}
    )
    with short_write():
        done = SharedTask.objects.filter(pk=task.pk, state=State.DRAFT).update(
            state=State.OPEN,
            frozen_at=clock.now(),
            fingerprint=fingerprint,
            facts=facts | of_training,
        )
        if not done:
            raise Conflict(_("This task is frozen already: nothing changes it."))
        tracks = {track.name: track for track in task.tracks.all()}
        for (track, name), content in files.items():
            role = Role(name.removesuffix(".tsv"))
            file_add(task=task, role=role, name=name, data=content, track=tracks.get(track))
        file_add(task=task, role=Role.FROZEN, name="frozen.json.gz", data=data)
        if training:
            file_add(task=task, role=Role.TRAIN, name=NAME, data=training)
        baselines_enter(task=task)
        audit(
            actor=actor,
            verb="freeze task",
            about=task,
            campaign=task.campaign,
            task=task.slug,
            fingerprint=fingerprint,
        )
    return SharedTask.objects.get(pk=task.pk)


def _of_systems(task: SharedTask) -> bool:
    return bool(task.kind == SharedTask.Kind.SYSTEMS)


def _frozen_metrics(task: SharedTask) -> tuple[Frozen, dict[str, object]]:
    gold_texts = judged_texts(campaign=task.campaign, scales=task.scales)
    if not gold_texts.scales:
        raise Invalid(_("The campaign has no ordered scale: gold needs one."))
    judged = gold_texts.judged
    sizes = np.unique(judged.original, return_counts=True)[1]
    if (sizes * (sizes - 1) // 2).sum() > MOST_PAIRS:
        raise Invalid(
            _("That would be more than %(most)s pairs: use a campaign with fewer paraphrases.")
            % {"most": f"{MOST_PAIRS:,}"}
        )
    frozen, places = freeze_placed(judged, public_share=task.public_share, seed=task.seed)
    rule: Rule = "majority" if task.gold == "majority" else "sum"
    unequal = frozen.people(rule) != 0
    if not unequal.any():
        raise Invalid(
            _(
                "There is no pair of paraphrases of one original that people value differently: "
                "the task needs several paraphrases of an original, with judgments."
            )
        )
    measures = sorted(set(task.tracks.values_list("measure", flat=True)))
    frozen = replace(frozen, ceiling=ceilings(judged, frozen, places, measures=measures, rule=rule))
    facts: dict[str, object] = {
        "scales": list(gold_texts.scales),
        "originals": len(frozen.originals),
        "texts": len(frozen.ids),
        "pairs": len(frozen.pairs),
        "told_apart": int(unequal.sum()),
        "rules_differ": int((frozen.by_sum != frozen.by_majority).sum()),
        "public_originals": int(frozen.public.sum()),
        "without_gold": gold_texts.without_gold,
        "copies": gold_texts.copies,
        "systems": len(frozen.systems),
    }
    return frozen, facts


def _frozen_systems(task: SharedTask) -> tuple[Frozen, dict[str, object]]:
    """The originals alone: what people think comes later."""
    originals = originals_of(campaign=task.campaign)
    if not originals:
        raise Invalid(_("The campaign has no items: their sentences are what teams paraphrase."))
    n = len(originals)
    none, codes = np.array([], dtype=np.int64), np.arange(n)
    sentences = [sentence for sentence, _r in originals]
    judged = JudgedTexts(
        sentences,
        codes,
        sentences,
        codes,
        np.zeros(n),
        none,
        none,
        np.zeros(0),
        references=[references for _s, references in originals],
    )
    return freeze(judged, public_share=0, seed=task.seed), {"originals": n}


def _files(task: SharedTask, frozen: Frozen) -> dict[tuple[str, str], bytes]:
    """The participants' files by track ("" for all tracks) and name.

    Where no track may use the original, as in White's realization track, nobody gets it.
    """
    originals = {("", "originals.tsv"): originals_file(frozen)}
    if _of_systems(task):
        return originals
    tracks = list(Track.objects.filter(task=task))
    files = {("", "texts.tsv"): texts_file(frozen)}
    if any(track.reference for track in tracks):
        files |= originals
    pairs, references = pairs_file(frozen), references_file(frozen)
    for track in tracks:
        if track.of_pairs:
            files[track.name, "pairs.tsv"] = pairs
        if track.reference:
            files[track.name, "references.tsv"] = references
    return files


# Everything of a published task as one zip: files, gold, submissions, boards, TeX, HEDS.


def task_zip(*, task: SharedTask, board_copy: str) -> bytes:
    """The zip; the same task gives the same bytes. Callers check that it is published."""
    bundle = Bundle()
    frozen = frozen_get(task=task)
    for name, data in participant_files(task=task).items():
        bundle.add(f"files/{name}", data)
    if task.kind == SharedTask.Kind.METRICS:
        bundle.add("gold/originals.tsv", originals_file(frozen))
        bundle.add("gold/pairs.tsv", gold_file(frozen))
        bundle.add("gold/texts.tsv", text_gold_file(frozen))
    board = board_of(task=task)
    content: Mapping[str, Any] = (board.content if board else None) or {"tracks": {}}
    bundle.add_json("board.json", content)
    bundle.add_json("leaderboard.json", board_json(task=task))
    bundle.add("board.html", board_copy)
    signature = f"paraanno {paraanno.__version__} (task {task.fingerprint[:12]})"
    for track, entry in content["tracks"].items():
        if entry["rows"]:
            table = board_table(task, track, entry["rows"], signature, entry.get("ceiling"))
            bundle.add(f"tex/{track}.tex", table)
        for name in ("table_2", "table_3"):
            if white := (entry.get("white") or {}).get(name):
                text = white_latex(white["table"], task, track, name, signature)
                bundle.add(f"tex/{track}-{name.replace('_', '-')}.tex", text)
    _submissions(bundle, task)
    bundle.add("methods.md", methods_text(task=task))
    for file in TaskFile.objects.filter(task=task, role="datasheet").select_related("content"):
        bundle.add(file.name, content_data(file.content))
    stream = io.BytesIO()
    about = {
        "task": task.slug,
        "title": task.title,
        "fingerprint": task.fingerprint,
        "licence": task.licence,
        "gold": task.gold,
        "seed": task.seed,
        "public_share": task.public_share,
        "facts": task.facts,
        "text": task.text,
    }
    bundle.write(stream, about)
    return stream.getvalue()


def _submissions(bundle: Bundle, task: SharedTask) -> None:
    """The submissions that count, with their certificates."""
    rows = Submission.objects.filter(track__task=task, primary=True, withdrawn_at=None, baseline="")
    certificates = []
    for one in rows.select_related("track", "team", "content").order_by("pk"):
        if one.content is not None:
            name = f"submissions/{one.track.name}/{one.team.pk}-{one.number}.{one.format}"
            bundle.add(name, content_data(one.content))
            certificates.append({**(one.final or {}), "track": one.track.name, "file": name})
    bundle.add_json("certificates.json", certificates)


def methods_text(*, task: SharedTask) -> str:
    """What the teams say they did, in their own words."""
    teams = Team.objects.filter(task=task, is_baseline=False).order_by("name")
    parts = [f"## {one.name}\n\n{one.method.strip() or '(no description)'}\n" for one in teams]
    return "\n".join([f"# {task.title}: methods of the teams\n", *parts])


def board_table(
    task: SharedTask,
    track: str,
    rows: list[dict[str, Any]],
    signature: str,
    ceiling: Mapping[str, float] | None = None,
) -> str:
    """The board of a track for a paper: value with interval, ranks, groups; and the ceiling."""
    pairs = any(row.get("half") is not None for row in rows)
    note = ""
    if ceiling:
        value = number(ceiling["half" if pairs else "value"], 3)
        note = f" One annotator against the others (human ceiling): {value}."
    header = ["Submission", *(["Strict", "Half credit"] if pairs else ["Value"]), "Rank", "Group"]
    lines = []
    for row in rows:
        value = with_interval(row.get("value"), row.get("ci_low"), row.get("ci_high"), 3)
        low, high = row.get("rank_low"), row.get("rank_high")
        name = row["submission"] if row["baseline"] else f"{row['team']}: {row['submission']}"
        lines.append(
            [
                escape(name),
                *([number(row.get("strict"), 3)] if pairs else []),
                value,
                "--" if low is None else str(low) if low == high else f"{low}--{high}",
                row.get("letters") or row.get("group") or "--",
            ]
        )
    return latex_table(
        header,
        lines,
        label=f"tab:{task.slug}-{track}",
        source=signature,
        caption=f"{task.title}, track {track}, final part. Brackets: 95 %, jackknife, "
        "leaving out originals. Rank intervals contain all true ranks together with 95 %; "
        "submissions share a letter exactly if no test tells them apart." + note,
    )


def white_latex(
    table: list[list[str]], task: SharedTask, track: str, name: str, signature: str
) -> str:
    """A table of White 2012 for a paper."""
    marks = str.maketrans({"†": r"\dag{}"})
    rows = [[escape(cell).translate(marks) for cell in row] for row in table[1:]]
    return latex_table(
        table[0],
        rows,
        label=f"tab:{task.slug}-{track}-{name.replace('_', '-')}",
        source=signature,
        caption=f"{task.title}, track {track}: pairs in the order of people (%), half credit for "
        "ties. Marks after White 2012, by swaps of whole originals.",
    )


# Certificates of results: what a board says about a submission, with a fingerprint of it.


CERTIFIED = (
    "value",
    "strict",
    "half",
    "ci_low",
    "ci_high",
    "rank_low",
    "rank_high",
    "group",
    "letters",
    "pairs",
)


def certificate_of(*, task: SharedTask, row: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a row of the final board, with `fingerprint`."""
    certificate: dict[str, Any] = {
        "task": task.slug,
        "task_fingerprint": task.fingerprint,
        "team": row["team"],
        "submission": row["submission"],
        "sha256": row["sha256"],
        **{name: row.get(name) for name in CERTIFIED},
    }
    return {**certificate, "fingerprint": fingerprint(certificate)}


def fingerprint(certificate: Mapping[str, Any]) -> str:
    """The SHA-256 of what a certificate says: keys sorted, numbers as JSON writes them."""
    content = {name: value for name, value in certificate.items() if name != "fingerprint"}
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def certificate_get(*, task: SharedTask, team: Team | None, key: UUID) -> dict[str, Any]:
    """The certificate of a submission: everybody's once the task is published, a team's own once
    it is closed. Raises NotFound."""
    rows = Submission.objects.filter(track__task=task, key=key, final__isnull=False)
    if task.state != SharedTask.State.PUBLISHED:
        rows = rows.filter(team=team) if task.over and team is not None else rows.none()
    one = rows.first()
    if one is None:
        raise NotFound(_("There is no such certificate."))
    return dict(one.final)
