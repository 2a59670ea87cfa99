"""The phrase pairs that a run of ParaEval matched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.models import Reference
from scoring.metrics.phrases.judged_matches import MatchedPair, MatchedText, sample
from scoring.models import Run, Score

METRIC = "paraeval"
CUTS = ("words", "none")


def has_matches(run: Run) -> bool:
    """Whether the run can be asked for a sample."""
    return run.metric == METRIC and run.status == Run.Status.DONE


def matched_sample(*, run: Run, n: int, seed: int) -> list[MatchedPair]:
    """A sample of the multi-word matches of a run. Raises Conflict for a run of another metric, one
    that is not done, and one that cut words in a way in which they cannot be found again."""
    if not has_matches(run):
        raise Conflict(_("Only runs of ParaEval that are done have matches to judge."))
    cut = str(run.options.get("tokenize", CUTS[0]))
    if cut not in CUTS:
        raise Conflict(
            _("Matches can be found again only in texts tokenized into words or at white space.")
        )
    return sample(_texts(run), n, seed=seed, tokenize=cut)


def _texts(run: Run) -> Iterator[MatchedText]:
    references: dict[int, list[str]] = defaultdict(list)
    of_campaign = Reference.objects.filter(item__campaign_id=run.campaign_id)
    for item, text in of_campaign.order_by("item_id", "position").values_list("item_id", "text"):
        references[item].append(text)
    columns = (
        "detail", "substitution__text", "substitution__item_id", "substitution__item__sentence",
        "substitution__item__start", "substitution__item__end", "substitution__own_sentence",
        "substitution__own_start", "substitution__own_end",
    )  # fmt: skip
    scores = Score.objects.filter(run=run, value__isnull=False).order_by("substitution_id")
    for detail, text, item, sentence, start, end, *own in scores.values_list(*columns).iterator():
        matches = [
            one for one in (detail or {}).get("tier_1", ())
            if min(one["reference_span"][1] - one["reference_span"][0],
                   one["paraphrase_span"][1] - one["paraphrase_span"][0]) > 1
        ]  # fmt: skip
        if matches:
            around, first, last = (sentence, start, end) if own[0] is None else own
            whole = around[:first] + text + around[last:]
            yield MatchedText((*references[item], sentence), whole, matches)
