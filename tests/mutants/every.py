"""All mutants, by the rule that they break."""

from __future__ import annotations

from tests.mutants import (
    Mutant,
    at_once,
    building,
    collecting,
    extrinsic,
    numbers,
    paraphrases,
    scope,
    shared_tasks,
)

RULES: dict[str, list[Mutant]] = {
    "claims": collecting.CLAIM,
    "annotators per sheet": collecting.PER_SHEET,
    "what is submitted": collecting.SUBMIT,
    "exclusions in late saves": collecting.LATE_SAVES,
    "idempotence of a save": collecting.IDEMPOTENCE,
    "base_version": collecting.BASE_VERSION,
    "whole saves: who": at_once.WHO,
    "whole saves: what": at_once.WHAT,
    "whole saves: the next sheet": at_once.FOLLOWING,
    "history": collecting.HISTORY,
    "withdrawn consent": collecting.CONSENT,
    "blindness": collecting.BLINDNESS,
    "scope of collection": scope.OF_CAMPAIGNS,
    "scope of analysis": scope.OF_ANALYSIS,
    "role output only": scope.ROLE_OUTPUT,
    "exports and imports": scope.EXPORTED,
    "throttles": scope.THROTTLES,
    "clusters in the bootstrap": numbers.CLUSTERS,
    "direction of a scale": numbers.DIRECTION,
    "thresholds": numbers.THRESHOLDS,
    "agreement": numbers.OF_AGREEMENT,
    "gold": numbers.OF_GOLD,
    "sweep": numbers.OF_WORKERS,
    "shared tasks": shared_tasks.CLOSING,
    "raw text": building.RAW_TEXT,
    "paraphrases": paraphrases.PARAPHRASES,
    "extrinsic evaluation": extrinsic.EXTRINSIC,
}
