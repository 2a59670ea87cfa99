"""Systems tasks: submissions that people judge."""

import pytest

from annotation.errors import Conflict
from scoring.shared_tasks.access import board_json
from scoring.shared_tasks.boards import final_board_again, round_open
from scoring.shared_tasks.submissions import frozen_get, task_close, work_finish
from tests.factories import add_judgments, judgment_row, make_user
from tests.scoring.shared_tasks.made import make_judged_campaign, make_task, make_team, send


@pytest.mark.slow
def test_a_systems_task_is_judged_by_people():
    campaign = make_judged_campaign(originals=6)
    task = make_task(campaign=campaign, tracks=("systems",))
    frozen = frozen_get(task=task)
    for team, ending in (("kite", "well"), ("onyx", "badly"), ("same", "well")):
        lines = [
            f"{key}\t{text} {ending}"
            for key, text in zip(frozen.originals, frozen.original_texts, strict=True)
        ]
        one = send(
            task,
            make_team(task, team),
            "\n".join(["original\ttext", *lines]).encode(),
            track="systems",
        )
        assert one.status == "done" and one.public["metrics"]["chrf:against=original"] > 0.5
    task = task_close(task=task, actor=None)
    work_finish(task=task)
    judged = round_open(task=task, slug="round", originals=5, actor=make_user("alice"))
    # Equal texts of two teams are one: 5 originals with 2 texts each.
    assert judged.substitutions.count() == 10
    assert judged.systems.count() == 3
    judge(judged)
    task.refresh_from_db()
    final_board_again(task=task, actor=None)
    work_finish(task=task)
    rows = board_json(task=task)["tracks"]["systems"]["rows"]
    assert [row["team"] for row in rows][2] == "onyx"
    assert rows[0]["value"] == rows[1]["value"] > rows[2]["value"]
    assert rows[0]["group"] == rows[1]["group"] and rows[0]["metrics"]
    with pytest.raises(Conflict):
        round_open(task=task, slug="again", originals=5, actor=make_user("alice"))


def judge(campaign):
    """Two people like what ends well."""
    add_judgments(
        campaign,
        [
            judgment_row(
                item.outside_ids.get().value,
                text.text,
                person,
                scale.maximum if text.text.endswith("well") else scale.minimum,
                scale.name,
            )
            for item in campaign.items.all()
            for text in item.substitutions.all()
            for scale in campaign.scales.all()
            for person in ("ann", "ben")
        ],
    )
