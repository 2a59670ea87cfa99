"""What comes before a sheet."""

from annotation.people.background import Question, question_add
from tests.factories import make_user


def ask(campaign, **options):
    question = Question(options.pop("wording", "How old are you?"), **options)
    return question_add(campaign=campaign, question=question, actor=make_user("alice"))
