"""What a campaign was made of, for the methods paragraph and the datasheet."""

from django.utils import timezone

from annotation.models import QualityAction
from annotation.people.exclusions import exclusion_add
from annotation.quality.rules import action_take, rule_add
from scoring.exports.design import design_get
from scoring.paper import RepeatFacts
from scoring.ratings.tables import ratings_get
from tests.factories import add_judgments, item_rows, make_annotator, make_campaign


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
            {
                "item": row["item"],
                "paraphrase": row["paraphrase"],
                "annotator": code,
                "scale": "MEANING",
                "value": value,
                "occasion": occasion,
            }
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
