"""manage.py work_files"""

from __future__ import annotations

from scoring.work.lanes import CONVERSIONS, LaneCommand


class Command(LaneCommand):
    help = (
        "Read the files that wait to be resources, then end; workers start it when there are any."
    )
    lane = CONVERSIONS
