"""The kinds of reports, each with the function of its area that makes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from paraanno.common.lazy_import import late

_AGREEMENT = "scoring.agreement.report"
_GOLD = "scoring.gold.report"
_CORRELATION = "scoring.correlation.report"
_ONE_METRIC = "scoring.correlation.one_metric"

KINDS: dict[str, Callable[..., Mapping[str, object]]] = {
    "agreement": late(f"{_AGREEMENT}:agreement_for"),
    "influence": late(f"{_AGREEMENT}:influence_for"),
    "results": partial(late(f"{_GOLD}:results_for"), unit="judgment"),
    "results-gold": partial(late(f"{_GOLD}:results_for"), unit="gold"),
    "gold": late(f"{_GOLD}:gold_overview_for"),
    "gold-values": late(f"{_GOLD}:gold_values_for"),
    "correlation": late(f"{_CORRELATION}:correlation_for"),
    "correlation-systems": late(f"{_CORRELATION}:systems_for"),
    "stability": late(f"{_CORRELATION}:stability_for"),
    "ranking": late(f"{_CORRELATION}:ranking_for"),
    "annotators": late("scoring.annotators.report:annotators_for"),
    "mixes": late(f"{_CORRELATION}:mixes_for"),
    "one-metric": late(f"{_ONE_METRIC}:points_for"),
}
# Kinds that are about more than a choice of judgments, and what makes equal questions equal.
PARAMETERS_OF: dict[str, Callable[..., dict[str, str]]] = {
    "mixes": late(f"{_CORRELATION}:mixes_asked"),
    "one-metric": late(f"{_ONE_METRIC}:points_asked"),
}
# Kinds about individual annotators: only for researchers.
FOR_RESEARCHERS = {"annotators", "influence"}
