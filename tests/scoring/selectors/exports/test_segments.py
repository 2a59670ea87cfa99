"""Segments are items, phrase by phrase, with the text, the gold and the references of each."""

from scoring.exports.design import segments_get
from scoring.ratings.tables import ratings_get
from tests.factories import add_judgments, make_campaign
from tests.scoring.selectors.ratings.hand import hand_campaign


def segments_of(campaign):
    return segments_get(campaign=campaign, ratings=ratings_get(campaign=campaign))


def judge(campaign, item, text, value):
    row = {"item": item, "paraphrase": text, "annotator": "a", "scale": "MEANING", "value": value}
    add_judgments(campaign, [row])


def test_segments_are_items_with_the_texts_of_each_system():
    texts = segments_of(hand_campaign())
    found = texts.segments
    assert found.documents == ["first", "second"]
    assert found.sources == ["The first sentence.", "The second sentence."]
    assert found.outputs == {
        "S0": ["The one sentence.", "The two sentence."],
        "S1": ["The one sentence.", "The three sentence."],
    }
    assert found.human["MEANING"] == {"S0": [4.5, 3.0], "S1": [4.5, 1.0]}
    assert found.references == texts.references == {}
    assert set(texts.units) == {"S0", "S1"} and texts.units["S0"][0] == texts.units["S1"][0]


def test_of_several_texts_of_a_system_the_best_rank_is_taken():
    row = {"item": "i", "phrase": "so", "sentence": "It is so.", "system": "S"}
    texts = {"worse": 2, "best": 1, "worst": 3}
    rows = [{**row, "paraphrase": text, "rank": rank} for text, rank in texts.items()]
    campaign = make_campaign(rows=rows)
    for text, rank in texts.items():
        judge(campaign, "i", text, rank)
    found = segments_of(campaign).segments
    assert found.outputs == {"S": ["It is best."]}
    assert found.human["MEANING"] == {"S": [1.0]}


def test_references_that_some_items_lack_have_gaps():
    rows = [
        {
            "item": f"i{n}",
            "phrase": "so",
            "sentence": f"It is so {n}.",
            "paraphrase": "thus",
            "system": "S",
            "reference": f"first {n}",
        }
        | ({"reference_2": "second"} if n else {})
        for n in range(2)
    ]
    campaign = make_campaign(rows=rows)
    for item in ("i0", "i1"):
        judge(campaign, item, "thus", 3)
    found = segments_of(campaign)
    assert found.segments.references == {
        "refA": ["first 0", "first 1"],
        "refB": [None, "second"],
    }
    assert found.references["refB"][0] is None and found.references["refB"][1] is not None
