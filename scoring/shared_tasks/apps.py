from typing import Any

from django.apps import AppConfig
from django.conf import settings


class SharedTasksConfig(AppConfig):
    """Shared tasks."""

    name = "scoring.shared_tasks"
    label = "shared_tasks"

    def ready(self) -> None:
        """Register jobs that are swept, and `verify` rules."""
        from annotation.selectors.accounts.data import FURTHER
        from annotation.selectors.verify import MORE_RULES
        from paraanno.jobs.kinds import register
        from paraanno.plain.late import late
        from scoring.shared_tasks.jobs import BOARD, SUBMISSION

        register(SUBMISSION, BOARD)
        FURTHER.append(late("scoring.shared_tasks.selectors.person:tasks_of"))
        MORE_RULES.append("scoring.shared_tasks.selectors.verify")
        enums: dict[str, Any] = settings.SPECTACULAR_SETTINGS["ENUM_NAME_OVERRIDES"]
        enums["TaskStateEnum"] = "scoring.shared_tasks.models.SharedTask.State"
