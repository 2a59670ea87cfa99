from typing import Any

from django.apps import AppConfig
from django.conf import settings


class ScoringConfig(AppConfig):
    """Analysis of judgments and metrics."""

    name = "scoring"

    def ready(self) -> None:
        """Register this app's `verify` rules, tabs, /healthz part, workers and schema names."""
        from annotation.selectors.accounts import data
        from annotation.selectors.verify import MORE_RULES
        from annotation.services.accounts import erasure
        from annotation.services.background import Background, register
        from annotation.services.board.figures import MAKERS
        from annotation.services.importing.jobs import register_whole
        from annotation.services.importing.take_back import OBSTACLES
        from scoring import gauges, health  # noqa: F401
        from scoring.presenters import help_pages, overview_needs  # noqa: F401
        from scoring.selectors.board import board_agreement
        from scoring.selectors.exports.person import exports_of
        from scoring.selectors.texts import scored
        from scoring.selectors.workers import is_alive
        from scoring.services.erasure import derived_erase
        from scoring.services.runs.imports import runs_json, scores_import
        from scoring.services.workers.heartbeats import process_name
        from scoring.services.workers.notify import notify_workers
        from scoring.views import tabs  # noqa: F401

        MORE_RULES.append("scoring.selectors.verify")
        data.FURTHER.append(exports_of)
        erasure.FURTHER.append(derived_erase)
        OBSTACLES.append(scored)
        MAKERS.append(board_agreement)
        register(Background(notify_workers, process_name, is_alive))
        register_whole("scores", scores_import, runs_json)

        enums: dict[str, Any] = settings.SPECTACULAR_SETTINGS["ENUM_NAME_OVERRIDES"]
        enums["RunStatusEnum"] = "scoring.models.Run.Status"
        enums["ResourceStatusEnum"] = "scoring.models.Resource.Status"
        enums["BuildStatusEnum"] = "scoring.models.Build.Status"
        # An import by a worker has the same states.
        enums["ExportStatusEnum"] = "scoring.models.ExportFile.Status"
