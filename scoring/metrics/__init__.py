"""Automatic metrics: text in, number out. No Django and no database.

>>> create("pinc", {"lowercase": "yes"}).score(Pair("The cat sat", "the cat sat")).value
0.0
"""

from scoring.metrics.base import Metric
from scoring.metrics.registry import (
    MetricSpec,
    create,
    from_spec,
    metric_class,
    names,
    parse_spec,
    register,
)
from scoring.metrics.values import Kind, Option, Pair, Score, Signature

__all__ = [
    "Kind",
    "Metric",
    "MetricSpec",
    "Option",
    "Pair",
    "Score",
    "Signature",
    "create",
    "from_spec",
    "metric_class",
    "names",
    "parse_spec",
    "register",
]
