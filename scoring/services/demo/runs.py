"""The metric runs of the demo: every metric that needs neither torch nor a neural model."""

from __future__ import annotations

import logging
from string import Formatter

from filelock import FileLock, Timeout

from annotation.errors import DomainError, Invalid
from annotation.models import Campaign
from scoring.models import Run
from scoring.selectors.demo import demo_mark, demo_pending
from scoring.services.demo.resources import demo_resources
from scoring.services.runs.start import run_read, runs_start

logger = logging.getLogger(__name__)
TASK = "scoring.tasks.demo_runs_make"
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
    f"pivot_f1:translations={{translations}},as=pivot_f1 {MARK}",
    "pem_style:regressor={regressor},translations={translations},lm={lm},"
    f"as=pem_style {MARK}",
)  # fmt: skip


def demo_runs_make(*, campaign_pk: int) -> None:
    """Add the demo's resources and start the runs that are asked for; nothing is made twice.

    Runs that need a resource that is being built are left to a later call: the mark stays, and the
    next sweep of an idle worker finds it. So does one after a process was killed. Without a mark,
    or while another process is at it, this is a no-op. What the domain refuses is logged and not
    tried again: `manage.py load_demo --runs` asks anew.
    """
    mark = demo_mark()
    try:
        with FileLock(f"{mark}.lock").acquire(blocking=False):
            if demo_pending() != campaign_pk:
                return
            campaign = Campaign.objects.filter(pk=campaign_pk).first()
            if campaign is None or _start(campaign):
                mark.unlink()
    except Timeout:
        return
    except DomainError as refusal:
        logger.warning("The runs of the demo were not started: %s", refusal.message)
        mark.unlink(missing_ok=True)


def _start(campaign: Campaign) -> bool:
    """Start the runs whose resources are there; return whether none is still waited for."""
    keys, awaited = demo_resources(campaign=campaign)
    specs = []
    for spec in SPECS:
        needed = {name for _text, name, *_rest in Formatter().parse(spec) if name}
        if needed - keys.keys():
            continue
        filled = spec.format(**keys)
        try:
            asked = run_read(filled, Run.Scope.SENTENCE, campaign)
        except Invalid as refusal:  # WordNet is not installed, say.
            logger.info("The demo goes without %s: %s", filled, refusal.message)
            continue
        if not campaign.runs.filter(options_hash=asked.options_hash).exists():
            specs.append(filled)
    if specs:
        runs_start(campaign=campaign, specs=specs, actor=campaign.created_by)
    return not awaited
