"""What goes wrong while a run is at work: it ends complete, or names the texts that failed."""

import re

import pytest
from django.db import DatabaseError, connection

from annotation.errors import Invalid
from annotation.models import Substitution
from annotation.models.fields import text_digest
from scoring.metrics.files import FileOption
from scoring.metrics.registry import metric_class, names
from scoring.models import RunChunk
from scoring.runs.work import run_work
from scoring.work.lanes import sweep
from tests.factories import make_campaign
from tests.scoring.builds import Killed, kill
from tests.scoring.factories import finish, started
from tests.scoring.services import toys

pytestmark = pytest.mark.usefixtures("toy_metrics")


POISON = {
    "long": "long " * 300_000,
    "one long word": "x" * 200_000,
    "emoji": "\U0001f469\u200d\U0001f4bb\U0001f3fd \U0001f1f0\U0001f1f7 ok \u2620\ufe0f",
    "right to left": "\u202eمرحبا\u202c بالعالم 123 (abc)",
    "blank": " \t ",
    "empty": "",
    "marks": "\ufeff\u200b\u0301\x07\x1b[31m'\"\\%s{}<b>",
}


def poisoned(campaign):
    """Paraphrases that no import would let through, or that nobody expects."""
    item = campaign.items.order_by("pk")[0]
    for text in POISON.values():
        Substitution.objects.create(
            campaign=campaign, item=item, text=text, text_hash=text_digest(text)
        )


@pytest.mark.slow
def test_poisoned_texts_are_named_and_the_rest_is_scored():
    """By every metric that can be made with nothing but its name."""
    campaign = make_campaign(items=3, open_it=False, language="en")
    poisoned(campaign)
    plain = campaign.substitutions.exclude(text__in=POISON.values())
    scored = set()
    for name in names():
        options = metric_class(name).OPTIONS
        if any(isinstance(one, FileOption) and not one.default for one in options):
            continue
        try:
            run = started(campaign, name)
        except Invalid as refusal:  # It needs a dictionary or an option that has no default.
            assert re.search("wordnet|is missing", refusal.message, re.I), (name, refusal)
            continue
        scored.add(name)
        run = finish(run)
        assert (run.status, run.failed) == ("done", 0), (name, run.error)
        assert run.done == run.total == run.scores.count(), name
        assert run.scores.filter(value=None, reason="").count() == 0, name
        for score in run.scores.filter(value=None, substitution__in=plain):
            assert score.reason, name
    assert scored >= {"bleu", "pinc"}


def test_a_text_that_ends_the_process_is_named_after_some_attempts(campaign, monkeypatch):
    """A stand-in for kill -9: an end that no handler sees, and a worker that is gone."""
    poison = campaign.substitutions.order_by("pk")[2]
    campaign.substitutions.filter(pk=poison.pk).update(text="poison")
    other, run = started(campaign, "pinc"), started(campaign, "toy-deadly")
    for one in (other, run):
        run_work(run_pk=one.pk)

    monkeypatch.setattr(toys.os, "kill", kill)
    deaths = 0
    for _ in range(20):
        try:
            finish(run)
        except Killed:
            deaths += 1
            RunChunk.objects.filter(status="running").update(
                worker="gone:1:0/1", heartbeat="2020-01-01T00:00Z"
            )
            sweep(idle=False, queues=())
        else:
            break
    run.refresh_from_db()
    assert 4 <= deaths <= 6
    assert (run.status, run.failed, run.done) == ("done", 1, run.total)
    reason = run.scores.get(substitution=poison).reason
    assert "process ended on this text" in reason and reason in run.error
    other = finish(other)
    assert (other.status, other.failed) == ("done", 0)


def fill(cursor):
    """Leave no page of the file free, as tests before this one have left some."""
    cursor.execute("CREATE TABLE filler (bytes BLOB)")
    while free := cursor.execute("PRAGMA freelist_count").fetchone()[0]:
        cursor.execute(f"INSERT INTO filler VALUES (zeroblob({4096 * max(1, free - 2)}))")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.once
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="SQLite's own limit of a file")
def test_a_full_disk_blames_no_text_and_the_run_ends_when_there_is_room():
    campaign = make_campaign(items=300, open_it=False)
    run = started(campaign, "bleu")
    run_work(run_pk=run.pk)
    with connection.cursor() as cursor:
        fill(cursor)
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
        try:
            for _ in range(6):
                with pytest.raises(DatabaseError, match="full"):
                    run_work(run_pk=run.pk)
                sweep(idle=True, queues=())
        finally:
            cursor.execute("PRAGMA max_page_count = 1073741823")
            cursor.execute("DROP TABLE filler")
    run = finish(run)
    assert (run.status, run.failed, run.error) == ("done", 0, "")
    assert run.scores.exclude(value=None).count() == run.total
    assert set(run.chunks.values_list("attempts", flat=True)) == {1}


def test_whatever_a_metric_says_of_a_text_comes_back_as_it_was():
    said = [
        "NULL",
        "null!",
        '{"a\\b", NULL}',
        "'; --",
        "\\",
        '\\"',
        "%s {} ,",
        "\n\t",
        "원 👩‍💻",
        " ",
    ]
    rows = [
        {
            "item": str(n),
            "sentence": f"Sentence {n}.",
            "paraphrase": f"{text}{tail}",
            "system": tail,
        }
        for n, text in enumerate(said)
        for tail in (".", "!.")
    ]
    campaign = make_campaign(rows=rows, open_it=False)
    run = finish(started(campaign, "toy-quoting"))
    assert (run.status, run.failed, run.done) == ("done", 0, 2 * len(said))
    for score in run.scores.select_related("substitution"):
        text = score.substitution.text
        assert (score.value, score.reason, score.detail) == (
            (None, text, None) if len(text) % 2 else (len(text) / 10, "", {"said": [text, None]})
        )
