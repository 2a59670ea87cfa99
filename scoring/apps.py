from typing import Any

from django.apps import AppConfig
from django.conf import settings


class ScoringConfig(AppConfig):
    """Analysis of judgments and metrics."""

    name = "scoring"

    def ready(self) -> None:
        """Register this app's `verify` rules, tabs, /healthz part and schema names."""
        from scoring import health  # noqa: F401
        from scoring.selectors import verify  # noqa: F401
        from scoring.views import tabs  # noqa: F401

        enums: dict[str, Any] = settings.SPECTACULAR_SETTINGS["ENUM_NAME_OVERRIDES"]
        enums["RunStatusEnum"] = "scoring.models.Run.Status"
        enums["ResourceStatusEnum"] = "scoring.models.Resource.Status"
        enums["ExportStatusEnum"] = "scoring.models.ExportFile.Status"
