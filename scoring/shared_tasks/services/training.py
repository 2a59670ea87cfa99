"""`train.zip`: texts of another campaign with their gold, for participants."""

from __future__ import annotations

import io

from django.utils.translation import gettext as _

import paraanno
from annotation.errors import Conflict, Invalid
from annotation.models import Campaign
from scoring.paper.reproducible_zip import Bundle
from scoring.shared_tasks.models import SharedTask, TaskFile
from scoring.shared_tasks.selectors.judged import judged_texts
from scoring.stats.shared_tasks.frozen import Frozen
from scoring.stats.shared_tasks.training import training_files

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
    known = set(campaign.scales.values_list("name", flat=True))
    scales = [name for name in task.scales if name in known]
    found = judged_texts(campaign=campaign, scales=scales)
    # Another seed than the test's: ids of one part must tell nothing about the other.
    seed = task.seed ^ 0x5DEECE66D
    files, left_out = training_files(found.judged, held_out=frozen.original_texts, seed=seed)
    if not files or not found.scales:
        raise Invalid(
            _("All judged texts of the training campaign have originals that are in the test too.")
        )
    bundle = Bundle()
    for name, data in files.items():
        bundle.add(name, data)
    stream = io.BytesIO()
    about = {
        "task": task.slug, "part": "train", "campaign": campaign.name, "gold": task.gold,
        "scales": list(found.scales), "licence": task.licence,
        "made_with": f"paraanno {paraanno.__version__}",
    }  # fmt: skip
    bundle.write(stream, about)
    texts = files["texts.tsv"].count(b"\n") - 1
    return stream.getvalue(), {"train_texts": texts, "train_left_out": left_out}
