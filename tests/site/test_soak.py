"""A little of soak: every part is killed, frozen or cut off once while people judge; `python -m
tools.soak` is the long one. And its reader, which notices what it is there for."""

from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import connection, transaction

from annotation.models import JudgmentVersion
from tests.factories import make_annotator, make_campaign, rate_all
from tools.soak.reader import RULES, Answer, findings

# What is put wrong, and what the reader says: the name of a rule, "lost", or a part of a sentence.
FIRST = "(SELECT MIN(id) FROM annotation_{})"
WRONG = {
    "UPDATE annotation_judgmentversion SET request_id = NULL WHERE id = FIRST version": "lost",
    "UPDATE annotation_judgmentversion SET value = 1 WHERE id = FIRST version": "acknowledged",
    "UPDATE annotation_judgment SET annotator_id = (SELECT MAX(id) FROM annotation_annotator),"
    " occasion = 2 WHERE id = FIRST judgment": "acknowledged",
    "UPDATE annotation_judgmentversion SET version = 2 WHERE id = FIRST version": (
        "versions are counted from 1 without gaps"
    ),
    "UPDATE annotation_judgment SET reason = 'other', value = NULL WHERE id = FIRST judgment": (
        "a judgment is its newest version"
    ),
    "UPDATE annotation_judgmentversion SET request_id ="
    " (SELECT MAX(request_id) FROM annotation_judgmentversion)": "an id stands for one save",
    "UPDATE annotation_sheet SET slots_wanted = 1": "at most k judgments of a text count",
    "UPDATE annotation_sheet SET slots_wanted = 1 WHERE id = FIRST sheet": (
        "at most k are done with a sheet"
    ),
    "UPDATE annotation_judgment SET status = 'surplus' WHERE id = FIRST judgment": (
        "done is complete"
    ),
    "UPDATE annotation_judgment SET slot_id = NULL WHERE id = FIRST judgment": (
        "what counts has a done place of its annotator, with its text"
    ),
}


@pytest.mark.django_db
def test_the_reader_notices_what_is_put_wrong():
    campaign = make_campaign(items=2, systems=1)
    for name in ("bob", "ben"):
        assert rate_all(make_annotator(campaign, name)) == 2
    keys = ("annotator__key", "substitution__key", "scale__key")
    acknowledged = {
        version.request_id: Answer(
            *(getattr(version.judgment, key.partition("__")[0]).key for key in keys),
            version.value,
            version.version,
        )
        for version in JudgmentVersion.objects.select_related("judgment")
    }

    def read(answers=acknowledged):
        return findings(connection.connection, answers)

    well = read()
    assert (well.stored, well.lost, well.wrong, well.ahead) == (len(acknowledged), [], [], 0)
    missed = set()
    for statement, message in WRONG.items():
        for table in ("judgmentversion", "judgment", "sheet"):
            short = table.removeprefix("judgment") or table
            statement = statement.replace(f"FIRST {short}", FIRST.format(table))
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("DROP INDEX judgment_request_once")
            cursor.execute(statement)
            found = read()
            transaction.set_rollback(True)
        if not (found.lost if message == "lost" else any(message in one for one in found.wrong)):
            missed.add(message)
    assert missed == set() and set(RULES) <= set(WRONG.values())

    # The same value was there already: an id without a row of its own, and where its value is.
    key, answer = next(iter(acknowledged.items()))
    for other, lost, wrong in (
        (replace(answer, repeated=True), 0, 0),
        (replace(answer, repeated=True, value=2.0), 0, 1),
        (replace(answer, repeated=True, version=2), 1, 0),
        (answer, 1, 0),
    ):
        found = read({uuid4(): other})
        assert (len(found.lost), len(found.wrong)) == (lost, wrong)
    assert len(read({key: replace(answer, version=3)}).wrong) == 1
    late = "UPDATE annotation_judgmentversion SET recorded_at = '2999-01-01 00:00:00'"
    with connection.cursor() as cursor:
        cursor.execute(late)
    assert read().ahead == len(acknowledged)
