"""Automatic metrics: text in, number out. No Django and no database.

>>> create("pinc", {"lowercase": "yes"}).score(Pair("The cat sat", "the cat sat")).value
0.0
"""

from scoring.metrics.base import Kind, Metric, Option, Pair, Score, Signature
from scoring.metrics.registry import create, metric_class, names, register
from scoring.metrics.spec import MetricSpec, from_spec, parse_spec

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
