"""manage.py create_task TASK --campaign C --track NAME"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from paraanno.common.texts import shown
from scoring.shared_tasks.management.task_command import TaskCommand
from scoring.shared_tasks.tasks import task_create
from scoring.stats.shared_tasks.board import RULES


class Command(TaskCommand):
    help = "Make a shared task from a campaign, as a draft: freeze_task opens it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("task", help="the short name: letters, digits, - and _")
        parser.add_argument("--campaign", required=True, metavar="C", help="its short name")
        parser.add_argument(
            "--track",
            action="append",
            required=True,
            metavar="NAME",
            dest="tracks",
            help="realization, hybrid, metrics (White 2012), segment[:MEASURE], system[:MEASURE] "
            "(scores of texts), systems (paraphrases), or a name of your own; may be repeated",
        )
        parser.add_argument(
            "--scale",
            action="append",
            default=[],
            metavar="S",
            dest="scales",
            help="a scale of gold; may be repeated; by default all ordered required ones",
        )
        parser.add_argument("--gold", choices=RULES, default="sum", help="the rule that counts")
        parser.add_argument(
            "--public",
            type=float,
            default=0.3,
            metavar="SHARE",
            help="of the originals, on which teams see values while the task is open",
        )
        parser.add_argument("--seed", type=int, help="drawn and kept secret by default")
        parser.add_argument(
            "--train", metavar="C", help="another campaign, handed out with its gold"
        )
        parser.add_argument("--title", default="", help="the name for people; TASK by default")
        parser.add_argument(
            "--per-day",
            type=int,
            default=5,
            metavar="N",
            help="submissions per team, track and day",
        )

    def work(self, options: dict[str, Any]) -> None:
        task = task_create(
            slug=options["task"],
            campaign=self.campaign(options["campaign"]),
            tracks=options["tracks"],
            scales=options["scales"],
            gold=options["gold"],
            public_share=options["public"],
            seed=options["seed"],
            title=options["title"],
            per_day=options["per_day"],
            actor=None,
            train=self.campaign(options["train"]) if options["train"] else None,
        )
        tracks = ", ".join(track.name for track in task.tracks.all())
        self.stdout.write(f"Task {shown(task.slug)[1:-1]} made with the tracks {tracks}.")
