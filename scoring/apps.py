from typing import Any

from django.apps import AppConfig
from django.conf import settings


class ScoringConfig(AppConfig):
    """Analysis of judgments and metrics."""

    name = "scoring"

    def ready(self) -> None:
        """Register this app's `verify` rules, tabs, /healthz part, workers and schema names."""
        from annotation.jobs import WHOLE
        from annotation.presenters.overview import NEEDS
        from annotation.selectors.accounts import data
        from annotation.selectors.verify import MORE_RULES
        from annotation.services.accounts import erasure
        from annotation.services.board.figures import MAKERS
        from annotation.services.importing.take_back import OBSTACLES
        from paraanno.jobs import kinds, workers
        from paraanno.plain.late import late
        from paraanno.sight.gauges import GAUGES
        from scoring import health  # noqa: F401
        from scoring.jobs import KINDS
        from scoring.presenters import help_pages  # noqa: F401
        from scoring.views import tabs  # noqa: F401

        GAUGES.extend([late("scoring.gauges:work"), late("scoring.gauges:workers")])
        NEEDS.append(late("scoring.presenters.overview_needs:analysis_needs"))
        MORE_RULES.append("scoring.selectors.verify")
        data.FURTHER.append(late("scoring.selectors.exports.person:exports_of"))
        erasure.FURTHER.append(late("scoring.services.erasure:derived_erase"))
        OBSTACLES.append(late("scoring.selectors.texts:scored"))
        MAKERS.append(late("scoring.selectors.board:board_agreement"))
        workers.register(
            workers.Workers(
                notify=late("scoring.services.workers.notify:notify_workers"),
                alive=late("scoring.selectors.workers:is_alive"),
            )
        )
        kinds.register(*KINDS)
        imports = "scoring.services.runs.imports"
        WHOLE["scores"] = late(f"{imports}:scores_import"), late(f"{imports}:runs_json")

        enums: dict[str, Any] = settings.SPECTACULAR_SETTINGS["ENUM_NAME_OVERRIDES"]
        enums["RunScopeEnum"] = "scoring.models.Run.Scope"
        enums["RunStatusEnum"] = "scoring.models.Run.Status"
        enums["ResourceStatusEnum"] = "scoring.models.Resource.Status"
        enums["JobStatusEnum"] = "paraanno.jobs.row.JobStatus"
