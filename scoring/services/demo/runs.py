"""The metric runs of the demo: every metric that needs neither torch nor a neural model."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

from filelock import FileLock, Timeout

from annotation.errors import DomainError, Invalid
from annotation.models import Campaign
from scoring.building.language_model.arpa_writing import write_arpa
from scoring.building.language_model.training import train
from scoring.models import Run
from scoring.selectors.demo import demo_mark, demo_pending
from scoring.services.demo.files import (
    RESOURCES,
    demo_rows,
    model_text,
    nbest_lists,
    page_counts,
)
from scoring.services.resources.add import resource_add
from scoring.services.runs.start import run_read, runs_start

logger = logging.getLogger(__name__)
TASK = "scoring.tasks.demo_runs_make"
# What people see wherever a file is chosen: nobody should take these for real ones.
NAMES = {
    "vectors": "DEMO ONLY: word vectors of the demo’s own texts",
    "table": "DEMO ONLY: paraphrases written for the demo",
    "synonyms": "DEMO ONLY: synonyms written for the demo",
    "counts": "DEMO ONLY: page counts of the demo’s own texts",
    "nbest": "DEMO ONLY: n-best lists of the demo’s own outputs",
    "lm": "DEMO ONLY: language model of the demo’s own texts",
}
MARK = "(demo file)"
# {vectors} stands for the key of that resource.
SPECS = (
    "bleu", "self_bleu", "ibleu", "p_bleu", "bleu_1max", "nist", "chrf", "chrfpp", "rouge_1",
    "rouge_2", "rouge_l", "ter", "meteor", "pinc", "jaccard", "edit_similarity", "length_ratio",
    f"embedding_cosine:vectors={{vectors}},as=embedding_cosine {MARK}",
    f"wmd:vectors={{vectors}},as=wmd {MARK}",
    f"weem4pg:vectors={{vectors}},as=weem4pg {MARK}",
    "apem",
    f"apem_sd:synonyms={{synonyms}},as=apem_sd {MARK}",
    "apem_sdgd:synonyms={synonyms},counts={counts},keep_if=distance_at_most,"
    f"as=apem_sdgd {MARK}",
    f"paraeval:table={{table}},as=paraeval {MARK}",
    "bleu_apem",
    "combine:of=bleu+pinc,scale=z,as=combine bleu+pinc",
    f"model_metric:nbest={{nbest}},as=model_metric {MARK}",
    f"approx_hter:nbest={{nbest}},as=approx_hter {MARK}",
    f"lm_fluency:lm={{lm}},tokenize=13a,lowercase=yes,as=lm_fluency {MARK}",
)  # fmt: skip


def demo_runs_make(*, campaign_pk: int) -> None:
    """Add the demo's resources and start the runs that are asked for; nothing is made twice.

    A process that is killed leaves the mark, and the next one goes on. Without a mark, or while
    another process is at it, this is a no-op. What the domain refuses is logged and not tried
    again: `manage.py load_demo --runs` asks anew.
    """
    mark = demo_mark()
    try:
        with FileLock(f"{mark}.lock").acquire(blocking=False):
            if demo_pending() != campaign_pk:
                return
            campaign = Campaign.objects.filter(pk=campaign_pk).first()
            if campaign is not None:
                _start(campaign)
            mark.unlink()
    except Timeout:
        return
    except DomainError as refusal:
        logger.warning("The runs of the demo were not started: %s", refusal.message)
        mark.unlink(missing_ok=True)


def _start(campaign: Campaign) -> None:
    keys = _resources(campaign)
    specs = []
    for spec in (spec.format(**keys) for spec in SPECS):
        try:
            asked = run_read(spec, Run.Scope.SENTENCE, campaign)
        except Invalid as refusal:  # WordNet is not installed, say.
            logger.info("The demo goes without %s: %s", spec, refusal.message)
            continue
        if not campaign.runs.filter(options_hash=asked.options_hash).exists():
            specs.append(spec)
    if specs:
        runs_start(campaign=campaign, specs=specs, actor=campaign.created_by)


def _resources(campaign: Campaign) -> dict[str, str]:
    """The keys of the demo's resources by kind; those that are missing are added."""
    rows = demo_rows()
    with tempfile.TemporaryDirectory() as folder:
        counts, nbest = Path(folder, "demo-counts.tsv"), Path(folder, "demo-nbest.tsv")
        counts.write_text(page_counts(rows), encoding="utf-8")
        nbest.write_text(nbest_lists(rows), encoding="utf-8")
        text, model = Path(folder, "demo-lm.txt"), Path(folder, "demo-lm.arpa")
        text.write_text(model_text(rows), encoding="utf-8")
        with model.open("wb") as stream:
            write_arpa(train(text, order=3).model, stream)
        files = {
            "vectors": RESOURCES / "vectors.txt",
            "table": RESOURCES / "table.tsv",
            "synonyms": RESOURCES / "synonyms.tsv",
            "counts": counts,
            "nbest": nbest,
            "lm": model,
        }
        return {
            kind: str(
                resource_add(kind=kind, path=path, name=NAMES[kind], actor=campaign.created_by).key
            )
            for kind, path in files.items()
        }
