"""The report of agreement between annotators; a constant number of queries."""

from scoring.agreement.report import agreement_for, influence_for, scale_kinds
from scoring.ratings.tables import ratings_get
from scoring.stats import Bootstrap
from scoring.stats.agreement.influence import influence
from scoring.stats.table import PHRASES
from tests.scoring.factories import judged
from tests.scoring.selectors.clusters import behind, drawn


def test_agreement_and_influence_are_by_phrase_alone():
    """24 texts of 8 phrases: nothing takes texts for independent."""
    campaign = judged(items=16, texts=2)
    report = agreement_for(campaign=campaign)
    assert report["drawn"] == "phrases"
    assert drawn(report["scales"]) == {"phrases"} and behind(report["scales"]) == {8}
    found = influence_for(campaign=campaign)
    assert drawn(found) == {"phrases"}
    ratings = ratings_get(campaign=campaign)
    scale = "MEANING"
    about = ratings.tables[scale], scale_kinds(ratings)[scale], ratings.levels().get(scale)
    by_phrase, by_item = (
        influence(*about, clusters=codes, plan=Bootstrap(clusters=PHRASES))
        for codes in (ratings.phrase, ratings.item)
    )
    assert found["scales"][scale]["influence"] == by_phrase != by_item


def test_agreement_of_six_phrases_has_values_and_says_what_is_lacking(campaign):
    report = agreement_for(campaign=campaign)
    assert drawn(report["scales"]) == set()
    alpha = report["scales"]["MEANING"]["alpha_ordinal"]
    assert alpha["value"] is not None and alpha["ci_low"] is None
    assert alpha["options"]["no_interval"] == "8 phrases are needed for an interval; there are 6"
