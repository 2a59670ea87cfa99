"""The catalogue of agreement coefficients: complete entries, and no diverging lists elsewhere."""

from dataclasses import replace
from importlib.metadata import EntryPoint

import numpy as np
import pytest

from paraanno.common.texts import Sentence, say
from scoring.paper.methods import REPORTED
from scoring.stats import Bootstrap, Estimate, RatingTable, agreement_statistics
from scoring.stats.agreement import catalogue
from scoring.stats.agreement.catalogue import CATALOGUE, coefficients
from scoring.stats.agreement.families import OfCounts, OfTable, standard_errors
from scoring.stats.agreement.influence import ALPHA, shown
from scoring.stats.resampling import Patterns
from tests.repository.tables import DOCS, agreement_table
from tests.scoring.stats.rated import FIVE, rotating

TABLE = RatingTable.from_dense(np.random.default_rng(1).integers(1, 6, (12, 3)).astype(float))


def test_entries_are_complete_and_keys_unique():
    assert len({one.key for one in CATALOGUE}) == len(CATALOGUE)
    for one in CATALOGUE:
        for text in (one.label, one.says, one.missing):
            assert isinstance(text, Sentence) and text, one.key
        assert one.printed.isascii() and one.printed, one.key
        assert one.formula and one.source, one.key


def test_other_lists_of_coefficients_equal_the_catalogue():
    named = {*REPORTED, *ALPHA.values(), *shown("nominal"), *shown("ordinal"), *shown("numeric")}
    named |= set(standard_errors(Patterns.of(TABLE, np.arange(1.0, 6.0))))
    assert named <= set(coefficients())


def test_the_table_of_the_documentation_is_the_catalogue():
    text = (DOCS / "statistics.md").read_text("utf-8")
    assert agreement_table() in text, f"docs/statistics.md should hold\n{agreement_table()}"


def height(table, levels):
    return Estimate(float(table.value.mean() / levels[-1]), n=table.n_ratings, method="mean")


OWN = replace(
    CATALOGUE[0], key="height", label=say("Height"), printed="Height", how=OfTable(height)
)
TAKEN = replace(OWN, key="alpha_nominal")
FIELD, PARTS_OF = replace(OWN, key="answer"), replace(OWN, key="n_units_parts")


@pytest.fixture
def installed(request, monkeypatch):
    entry = EntryPoint("one", f"{__name__}:{request.param}", catalogue.GROUP)
    monkeypatch.setattr(catalogue, "entry_points", lambda group: [entry])
    coefficients.cache_clear()
    yield
    coefficients.cache_clear()


@pytest.mark.parametrize("installed", ["OWN"], indirect=True)
def test_a_function_of_a_table_gets_a_jackknife_interval(installed):
    found = agreement_statistics(TABLE, np.arange(1.0, 6.0), plan=Bootstrap(50))["height"]
    assert found.value == pytest.approx(TABLE.value.mean() / 5)
    assert found.options["jackknife"] == 12
    assert found.generalises_to == "new units"


@pytest.mark.parametrize(
    ("installed", "said"),
    [
        ("TAKEN", "already a statistic called alpha_nominal"),
        ("FIELD", f"cannot be called answer, .*: rename that of {__name__}:FIELD"),
        ("PARTS_OF", "cannot be called n_units_parts"),
        ("TABLE", "is no Coefficient"),
    ],
    indirect=["installed"],
)
def test_an_invalid_entry_is_refused(installed, said):
    with pytest.raises(ValueError, match=said):
        coefficients()


# How coefficients of agreement are computed, and how their replicates are made.


def test_weights_mean_the_same_as_drawn_units():
    """A statistic at bootstrap weights equals the statistic of the table of the drawn units."""
    table = rotating(np.random.default_rng(5), 5, 0.6)
    patterns = Patterns.of(table, FIVE)
    drawn = np.random.default_rng(6).integers(300, size=300)
    weights = np.bincount(patterns.of_unit[drawn], minlength=patterns.weight.size)
    again = agreement_statistics(table.take_units(drawn), FIVE)
    of_counts = {
        key: one.how for key, one in coefficients().items() if isinstance(one.how, OfCounts)
    }
    assert len(of_counts) == 9
    for name, how in of_counts.items():
        value = how.statistic(patterns, weights[None, :].astype(float))[0]
        assert value == pytest.approx(again[name].value, abs=1e-12), name
