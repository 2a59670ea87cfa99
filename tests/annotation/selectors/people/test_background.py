"""What a campaign asks about its annotators, and what they answered."""

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import BackgroundAnswer
from annotation.people.annotators import answer_tallies
from tests.annotation.views.people.answered import PAGE
from tests.clients import client_of
from tests.factories import make_annotator


def test_each_answer_is_counted(answered, django_assert_num_queries):
    with django_assert_num_queries(2):
        age, speaks, other = answer_tallies(campaign=answered)
    assert (age.counts, age.answered, age.declined, age.empty) == ((("40", 1),), 1, 1, 0)
    assert speaks.counts == (("Czech", 1), ("Danish", 0), ("Dutch", 2))
    assert (other.counts, other.answered, other.declined, other.empty) == ((), 0, 0, 2)


def test_more_annotators_cost_no_more_queries(answered, django_assert_num_queries):
    client = client_of("dora")
    with CaptureQueriesContext(connection) as few:
        assert client.get(PAGE).status_code == 200
    speaks = answered.background_questions.get(name="speaks")
    beth = make_annotator(answered, "beth")
    BackgroundAnswer.objects.create(
        annotator=beth, question=speaks, value=["Danish"], at=timezone.now()
    )
    with django_assert_num_queries(len(few)):
        client.get(PAGE)
