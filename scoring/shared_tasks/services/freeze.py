"""Freeze a task: gold, split, ids and files, which no later judgment changes."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from paraanno import clock
from scoring.shared_tasks.models import SharedTask, TaskFile, Track
from scoring.shared_tasks.selectors.fingerprints import fingerprint_of
from scoring.shared_tasks.selectors.judged import judged_texts, originals_of
from scoring.shared_tasks.services.baselines import baselines_enter
from scoring.shared_tasks.services.contents import file_add
from scoring.shared_tasks.services.training import NAME, training_zip
from scoring.stats.shared_tasks.ceiling import ceilings
from scoring.stats.shared_tasks.files import (
    originals_file,
    pairs_file,
    references_file,
    texts_file,
)
from scoring.stats.shared_tasks.frozen import (
    Frozen,
    JudgedTexts,
    Rule,
    freeze,
    freeze_placed,
)

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
            actor=actor, verb="freeze task", about=task, campaign=task.campaign, task=task.slug,
            fingerprint=fingerprint,
        )  # fmt: skip
    return SharedTask.objects.get(pk=task.pk)


def _of_systems(task: SharedTask) -> bool:
    return bool(task.kind == SharedTask.Kind.SYSTEMS)


def _frozen_metrics(task: SharedTask) -> tuple[Frozen, dict[str, object]]:
    found = judged_texts(campaign=task.campaign, scales=task.scales)
    if not found.scales:
        raise Invalid(_("The campaign has no ordered scale: gold needs one."))
    judged = found.judged
    sizes = np.unique(judged.original, return_counts=True)[1]
    if (sizes * (sizes - 1) // 2).sum() > MOST_PAIRS:
        raise Invalid(
            _("That would be more than %(most)s pairs: use a campaign with fewer paraphrases.")
            % {"most": f"{MOST_PAIRS:,}"}
        )
    frozen, places = freeze_placed(judged, public_share=task.public_share, seed=task.seed)
    rule: Rule = "majority" if task.gold == "majority" else "sum"
    told = frozen.people(rule) != 0
    if not told.any():
        raise Invalid(
            _(
                "There is no pair of paraphrases of one original that people value differently: "
                "the task needs several paraphrases of an original, with judgments."
            )
        )
    measures = sorted(set(task.tracks.values_list("measure", flat=True)))
    frozen = replace(frozen, ceiling=ceilings(judged, frozen, places, measures=measures, rule=rule))
    facts: dict[str, object] = {
        "scales": list(found.scales),
        "originals": len(frozen.originals),
        "texts": len(frozen.ids),
        "pairs": len(frozen.pairs),
        "told_apart": int(told.sum()),
        "rules_differ": int((frozen.by_sum != frozen.by_majority).sum()),
        "public_originals": int(frozen.public.sum()),
        "without_gold": found.without_gold,
        "copies": found.copies,
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
        sentences, codes, sentences, codes, np.zeros(n), none, none, np.zeros(0),
        references=[references for _s, references in originals],
    )  # fmt: skip
    return freeze(judged, public_share=0, seed=task.seed), {"originals": n}


def _files(task: SharedTask, frozen: Frozen) -> dict[tuple[str, str], bytes]:
    """The participants' files by track ("" for all tracks) and name."""
    files = {("", "originals.tsv"): originals_file(frozen)}
    if _of_systems(task):
        return files
    files["", "texts.tsv"] = texts_file(frozen)
    pairs, references = pairs_file(frozen), references_file(frozen)
    for track in Track.objects.filter(task=task):
        if track.of_pairs:
            files[track.name, "pairs.tsv"] = pairs
        if track.reference:
            files[track.name, "references.tsv"] = references
    return files
