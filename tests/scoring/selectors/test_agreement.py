"""The report of agreement between annotators; a constant number of queries."""

from scoring.agreement.report import agreement_for, influence_for
from tests.scoring.selectors.clusters import drawn


def test_agreement_and_influence_draw_phrases(campaign):
    report = agreement_for(campaign=campaign)
    assert report["drawn"] == "phrases"
    # Beside the bootstrap there are intervals by formula, which are about units.
    assert "phrases" in drawn(report["scales"])
    assert drawn(influence_for(campaign=campaign)) == {"phrases"}
