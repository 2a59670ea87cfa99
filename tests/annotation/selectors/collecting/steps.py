"""What comes before a sheet."""

from __future__ import annotations

from typing import Any

from annotation.models import BackgroundQuestion
from annotation.services.people.background import Question, question_add
from tests.factories import make_user


def ask(campaign: Any, **options: Any) -> BackgroundQuestion:
    question = Question(options.pop("wording", "How old are you?"), **options)
    return question_add(campaign=campaign, question=question, actor=make_user("alice"))
