"""Practice that is set up and gone through."""

from annotation.quality.expected import Band, text_add
from annotation.quality.overview import attempt_texts
from annotation.quality.practice import attempt_start, practice_answer, practice_set
from tests.factories import make_annotator, make_campaign


def ask_practice(campaign, tries=1):
    """A test is asked of all, with no tolerance."""
    practice_set(campaign=campaign, required=True, share=1, tries=tries, tolerance={}, actor=None)


def add(campaign, part, number, low, high):
    return text_add(
        campaign=campaign,
        role="practice",
        part=part,
        sentence=f"Learn this {part} {number}.",
        phrase="this",
        paraphrase=f"that {number}",
        actor=None,
        bands={
            "MEANING": Band(low, high, f"Because of {number}."),
            "GRAMMAR": Band(5, 5, "It is a whole sentence."),
        },
    )


def school(
    *,
    practice=1,
    test=2,
    required=True,
    share=0.75,
    tries=2,
    tolerance=0,
):
    """MEANING 4 to 5 and GRAMMAR 5 are right everywhere."""
    campaign = make_campaign(items=2, k=2)
    for number in range(practice):
        add(campaign, "practice", number, 4, 5)
    for number in range(test):
        add(campaign, "test", number, 4, 5)
    meaning = campaign.scales.get(name="MEANING")
    practice_set(
        campaign=campaign,
        required=required,
        share=share,
        tries=tries,
        tolerance={meaning: tolerance},
        actor=None,
    )
    return campaign, make_annotator(campaign)


def go_through(annotator, part, meaning, grammar):
    attempt = attempt_start(annotator=annotator, part=part)
    for text in attempt_texts(attempt=attempt):
        values = {
            one.scale.pk: {"MEANING": meaning}.get(one.scale.name, grammar)
            for one in text.questions
        }
        practice_answer(attempt=attempt, text=text, values=values)
    attempt.refresh_from_db()
    return attempt
