"""A small shared task, made through the services."""

import csv
import io
import json

from scoring.shared_tasks.freeze import task_freeze
from scoring.shared_tasks.models import Submission, Track
from scoring.shared_tasks.submissions import frozen_get, submit, work_finish
from scoring.shared_tasks.tasks import task_create, team_add, team_join
from scoring.stats.shared_tasks.submissions import choices_of
from tests.factories import add_judgments, close_campaign, judgment_row, make_campaign, make_user

WORDS = ("quick", "slow", "tired", "happy", "old")


def rows_of(originals, each=4):
    return [
        {
            "item": f"i{at}",
            "sentence": f"The {WORDS[at % 5]} dog number {at} sleeps in the house.",
            "paraphrase": f"In the house, {WORDS[at % 5]} dog {at} is {'very ' * n}asleep.",
            "system": f"S{n}",
        }
        for at in range(originals)
        for n in range(each)
    ]


def make_judged_campaign(slug="judged", originals=8, **how):
    """Four paraphrases of each original; two people differ by a point here and there. Closed."""
    rows = rows_of(originals)
    campaign = make_campaign(slug, rows=rows, template="sentence", language="en", **how)
    scales = list(campaign.scales.order_by("position"))
    add_judgments(
        campaign,
        [
            judgment_row(
                row["item"],
                row["paraphrase"],
                person,
                scale.minimum + (int(row["system"][1]) + number + shift) % 5
                if scale.maximum - scale.minimum >= 4
                else scale.minimum,
                scale.name,
            )
            for number, row in enumerate(rows)
            for shift, person in enumerate(("ann", "ben"))
            for scale in scales
        ],
    )
    return close_campaign(campaign)


def make_task(slug="game", *, freeze=True, tracks=("metrics",), **how):
    """A frozen task of a judged campaign of Alice's, with its baselines scored."""
    campaign = how.pop("campaign", None) or make_judged_campaign(f"{slug}-campaign")
    task = task_create(
        slug=slug, campaign=campaign, tracks=tracks, actor=make_user("alice"), **{"seed": 5, **how}
    )
    if freeze:
        task = task_freeze(task=task, actor=make_user("alice"))
        work_finish(task=task)
    return task


def make_team(task, name="kite", *members):
    team, token = team_add(task=task, name=name, actor=None)
    for member in members:
        team_join(token=token, user=make_user(member))
    return team


def choices_file(task, turn=1):
    """What people chose (turn 1), the reverse (-1), or ties (0)."""
    frozen = frozen_get(task=task)
    rule = task.gold
    said = choices_of((turn * frozen.people(rule)).tolist())
    lines = [f"{pair}\t{one}" for pair, one in zip(frozen.pairs, said, strict=True)]
    return "\n".join(["pair\tchoice", *lines, ""]).encode()


def in_format(data, ending):
    """A table of tab-separated values as one of another ending."""
    if ending == "tsv":
        return data
    header, *rows = (line.split("\t") for line in data.decode().splitlines())
    if ending == "csv":
        out = io.StringIO()
        csv.writer(out).writerows([header, *rows])
        return out.getvalue().encode()
    records = [dict(zip(header, row, strict=True)) for row in rows]
    if header[1] == "score":
        records = [{**one, "score": float(one["score"])} for one in records]
    return "".join(json.dumps(one) + "\n" for one in records).encode()


def send(task, team, data=None, track="metrics", file_name="choices.tsv", **how):
    """Submit (by default what people chose) and have it scored."""
    made = submit(
        track=Track.objects.get(task=task, name=track),
        team=team,
        stream=io.BytesIO(choices_file(task) if data is None else data),
        file_name=file_name,
        actor=None,
        **how,
    )
    work_finish(task=task)
    return Submission.objects.get(pk=made.pk)
