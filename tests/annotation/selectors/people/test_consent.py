"""The consent text that is current, and who has agreed to which."""

from annotation.people.annotators import consent_newest, consent_of, consent_versions
from annotation.people.background import consent_give, consent_text_add
from annotation.people.exclusions import annotator_withdraw
from tests.factories import make_annotator


def test_the_newest_text_and_the_consents_that_are_in_force(campaign, django_assert_num_queries):
    bob, ben, beth = (make_annotator(campaign, name) for name in ("bob", "ben", "beth"))

    def newest():
        text = consent_newest(campaign=campaign)
        return text and text.text

    def given_by(*annotators):
        consents = (consent_of(annotator=one) for one in annotators)
        return [one and one.text.text for one in consents]

    def versions():
        with django_assert_num_queries(1):
            return [(one.text, one.agreed) for one in consent_versions(campaign=campaign)]

    assert newest() is None
    for number, (text, agree) in enumerate((("One", (bob, ben)), ("Two", (bob,))), 1):
        consent_text_add(campaign=campaign, text=text, actor=None)
        for one in agree:
            consent_give(annotator=one, version=number)
    assert newest() == "Two" and given_by(bob, ben, beth) == ["Two", "One", None]
    assert versions() == [("Two", 1), ("One", 2)]
    annotator_withdraw(annotator=bob)
    assert given_by(bob, ben) == [None, "One"] and versions() == [("Two", 0), ("One", 1)]
    consent_text_add(campaign=campaign, text="", actor=None)  # An empty one ends the question.
    assert newest() is None
