"""manage.py work_builds"""

from __future__ import annotations

from scoring.work.lanes import BUILDS, LaneCommand


class Command(LaneCommand):
    help = "Build the resources that wait, then end; workers start it when there is something."
    lane = BUILDS
