"""What a campaign was made of, for the methods paragraph and the datasheet."""

import pytest
from django.utils import timezone

from annotation.models import QualityAction
from annotation.people.exclusions import exclusion_add
from annotation.quality.rules import action_take, rule_add
from scoring.exports.design import design_get, facts_get, rating_rows, segments_get
from scoring.exports.gold import golds
from scoring.paper.facts import RepeatFacts
from scoring.ratings.tables import ratings_get
from tests.factories import add_judgments, item_rows, judgment_row, make_annotator, make_campaign
from tests.scoring.hand import GRAMMAR, MEANING, TEXTS, exclude, hand_campaign


def design_of(campaign):
    return design_get(campaign=campaign, ratings=ratings_get(campaign=campaign))


def test_items_systems_sheets_repeats_and_reasons():
    rows = item_rows(items=3)
    whole = {"item": "w", "sentence": "All of it.", "paraphrase": "The whole.", "system": "S0"}
    again = {**rows[0], "rank": 2}  # One text at two ranks is one text.
    campaign = make_campaign(rows=[*rows, again, whole], shared_share=0.5)
    add_judgments(
        campaign,
        [
            judgment_row(row["item"], row["paraphrase"], code, value, occasion=occasion)
            for row in rows[:4]
            for code, values in (("a", (3, 3)), ("b", (2, 4)), ("out", (1, 5)))
            for occasion, value in enumerate(values, 1)
        ],
    )
    rule = rule_add(
        campaign=campaign, check="control", least=5, share=0.3, act="exclude", actor=None
    )
    action = QualityAction.objects.create(
        campaign=campaign,
        annotator=campaign.annotators.get(code="out"),
        rule=rule,
        decided_at=timezone.now(),
        due_at_done=0,
    )
    action_take(action=action, actor=None)
    exclusion_add(target=campaign.systems.get(label="S1"), reason="broken decoder", actor=None)
    found = design_of(campaign)
    assert (found.whole, found.whole_phrases) == (1, 1)
    assert found.languages == {"": 4}
    # Two texts of its own, the one that both systems gave, and the whole sentence.
    assert found.outputs == {"S0": 4}
    assert (found.sheets, found.shared_sheets) == (4, 2)
    # Of the judgments that count: four texts twice by a, and by b two points apart; none of "out".
    assert found.repeats == {"MEANING": RepeatFacts(8, 0.5, 0.5)}
    by_name = {one.name: one for one in found.exclusions}
    out, system = by_name["out"], by_name["S1"]
    assert out.rule == "exclude who fails 30% or more of at least 5 controls"
    assert out.reason.startswith("Quality control") and not out.withdrawal
    assert (system.kind, system.rule, system.reason) == ("system", "", "broken decoder")


def test_answers_to_background_questions_are_counted():
    campaign = make_campaign()
    people = [make_annotator(campaign, name) for name in ("bob", "bea", "ben")]
    for at, (wording, kind, options, answers) in enumerate(
        (
            ("Age?", "number", [], (20, 30, None)),
            ("First language?", "choice", ["ko", "en"], ("ko", "ko", "en")),
            ("Work?", "text", [], ("a", "b", "c")),
        )
    ):
        question = campaign.background_questions.create(
            name=f"q{at}", wording=wording, kind=kind, options=options, position=at
        )
        for annotator, value in zip(people, answers, strict=True):
            annotator.background_answers.create(question=question, value=value, at=timezone.now())
    found = design_of(campaign)
    assert found.background == (
        "Age? 20 to 30, median 25, no answer: 1",
        "First language? ko: 2, en: 1",
        "Work? 3 answers in own words",
    )


def test_a_test_set_that_was_imported_twice_is_told_once():
    campaign = make_campaign(items=1)
    for signature in ("one", "two", "one"):
        campaign.batches.create(
            what="items",
            file_name="set.jsonl",
            sha256=signature,
            rows=1,
            provenance={"recipe": "test_set", "signature": signature},
        )
    found = design_of(campaign)
    assert [one["signature"] for one in found.test_sets] == ["one", "two"]


# Facts, ratings and segments of a campaign for the files of a paper.


@pytest.fixture
def campaign():
    return hand_campaign()


def facts_of(campaign):
    return facts_get(campaign=campaign, ratings=ratings_get(campaign=campaign))


def test_facts_of_a_small_campaign_and_without_who_is_excluded(campaign):
    facts = facts_of(campaign)
    assert (facts.items, facts.phrases, facts.texts, facts.systems) == (2, 2, 3, ("S0", "S1"))
    # Both scales of a text are one judgment; a gave 3, b 3, c 2.
    assert (facts.judgments, facts.cannot_judge) == (8, 1)
    assert facts.annotators == {"imported": 3} and not facts.in_browser
    assert facts.checks["controls"] == 1 and facts.checks["hidden repeats"] == 0
    assert [scale.name for scale in facts.scales] == ["MEANING", "GRAMMAR"]
    points = [value for value, _, _ in facts.scales[0].points]
    assert points == sorted(points) and len(points) == facts.scales[0].size == 5
    exclude(campaign.annotators.get(code="c"))
    facts = facts_of(campaign)
    assert (facts.n_annotators, facts.judgments) == (2, 6)
    assert facts.excluded == {"annotator": 1}


def test_facts_of_nothing():
    facts = facts_of(make_campaign("empty"))
    assert (facts.sources, facts.per_text, facts.judgments, facts.n_annotators) == ((), None, 0, 0)


def test_facts_take_the_same_queries_for_any_size(django_assert_max_num_queries):
    counts = []
    for slug, items in (("few", 2), ("many", 12)):
        made = make_campaign(slug, items=items)
        with django_assert_max_num_queries(37) as seen:
            facts_of(made)
        counts.append(len(seen))
    assert counts[0] == counts[1]


def test_ratings_are_rows_with_the_clusters_of_their_texts(campaign):
    rows = list(rating_rows(ratings=ratings_get(campaign=campaign)))
    key_of = {row["paraphrase"]: row["text_key"] for row in golds(campaign=campaign).rows}
    keys = {key_of[text]: name for name, (_, text) in TEXTS.items() if text in key_of}
    for scale, table in (("MEANING", MEANING), ("GRAMMAR", GRAMMAR)):
        given = {
            (keys[str(row["item"])], row["annotator"]): row["value"]
            for row in rows
            if row["scale"] == scale
        }
        assert given == {(t, who): v for t, values in table.items() for who, v in values.items()}
    contexts = {keys[str(row["item"])]: (row["context"], row["phrase"]) for row in rows}
    assert contexts["t1"] == contexts["t2"] != contexts["t0"]
    assert {number for pair in contexts.values() for number in pair} == {1, 2}


# Segments are items, phrase by phrase, with the text, the gold and the references of each.


def segments_of(campaign):
    return segments_get(campaign=campaign, ratings=ratings_get(campaign=campaign))


def judge(campaign, item, text, value):
    row = judgment_row(item, text, "a", value)
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
