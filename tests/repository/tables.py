"""The tables of the documentation that are made from catalogues."""

from scoring.stats.agreement.catalogue import coefficients
from scoring.stats.evaluation import catalogue as evaluation
from scoring.stats.systems import catalogue as systems
from tests import HOME

DOCS = HOME / "docs"


def table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def agreement_table():
    """Every coefficient of agreement, for docs/statistics.md."""
    return table(
        ("name", "called", "what it says", "missing ratings", "source"),
        (
            (f"`{one.key}`", one.label, one.says, one.missing, one.source)
            for one in coefficients().values()
        ),
    )


def correlation_table():
    """Every coefficient of metrics against people, for docs/correlation.md."""
    return table(
        ("name", "called", "what it is", "formula", "levels", "source"),
        (
            (f"`{one.key}`", one.label, one.says, one.formula, ", ".join(one.levels), one.source)
            for one in evaluation.CATALOGUE
        ),
    )


def results_table():
    """Every number of the results of systems, for docs/gold-and-results.md."""
    return table(
        ("of", "name", "called", "what it is", "formula", "source"),
        (
            (one.of, f"`{one.key}`", one.label, one.says, one.formula, one.source)
            for one in systems.CATALOGUE
        ),
    )
