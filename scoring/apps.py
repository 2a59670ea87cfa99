from typing import Any

from django.apps import AppConfig
from django.conf import settings


class ScoringConfig(AppConfig):
    """Analysis of judgments and metrics."""

    name = "scoring"

    def ready(self) -> None:
        """Register this app's `verify` rules, tabs, /healthz part, workers and schema names."""
        from annotation.selectors.verify import MORE_RULES
        from annotation.services.background import Background, register
        from annotation.services.importing.jobs import register_whole
        from scoring import health  # noqa: F401
        from scoring.services.runs.imports import runs_json, scores_import
        from scoring.services.workers.heartbeats import process_name
        from scoring.services.workers.notify import notify_workers
        from scoring.views import tabs  # noqa: F401

        MORE_RULES.append("scoring.selectors.verify")
        register(Background(notify_workers, process_name))
        register_whole("scores", scores_import, runs_json)

        enums: dict[str, Any] = settings.SPECTACULAR_SETTINGS["ENUM_NAME_OVERRIDES"]
        enums["RunStatusEnum"] = "scoring.models.Run.Status"
        enums["ResourceStatusEnum"] = "scoring.models.Resource.Status"
        enums["BuildStatusEnum"] = "scoring.models.Build.Status"
        # An import by a worker has the same states.
        enums["ExportStatusEnum"] = "scoring.models.ExportFile.Status"
