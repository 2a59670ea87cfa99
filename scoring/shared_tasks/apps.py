from typing import Any

from django.conf import settings

from paraanno.apps import OwnApp


class SharedTasksConfig(OwnApp):
    """Shared tasks."""

    name = "scoring.shared_tasks"
    default = True
    label = "shared_tasks"

    def register(self) -> None:
        """Register jobs that are swept, and `verify` rules."""
        from annotation.people.stored_data import FURTHER
        from annotation.verify import MORE_RULES
        from paraanno.common.lazy_import import late
        from paraanno.jobs.engine import kinds_register
        from scoring.shared_tasks.jobs import BOARD, SUBMISSION

        kinds_register(SUBMISSION, BOARD)
        FURTHER.append(late("scoring.shared_tasks.access:tasks_of"))
        MORE_RULES.append("scoring.shared_tasks.verify")
        enums: dict[str, Any] = settings.SPECTACULAR_SETTINGS["ENUM_NAME_OVERRIDES"]
        enums["TaskStateEnum"] = "scoring.shared_tasks.models.SharedTask.State"
