from typing import Any

from django.conf import settings

from paraanno.apps import OwnApp


class ScoringConfig(OwnApp):
    """Analysis of judgments and metrics."""

    name = "scoring"
    default = True

    def register(self) -> None:
        """Register this app's `verify` rules, /healthz part, workers and schema names."""
        from annotation.board.figures import MAKERS
        from annotation.campaigns.overview import NEEDS
        from annotation.campaigns.queries import COUNTERS
        from annotation.importing.report import FOLLOWERS
        from annotation.importing.take_back import FORGETTERS, OBSTACLES
        from annotation.jobs import WHOLE
        from annotation.people import stored_data
        from annotation.verify import MORE_RULES
        from paraanno.common.lazy_import import late
        from paraanno.jobs import engine
        from paraanno.observability.counted import GAUGES
        from scoring import health  # noqa: F401
        from scoring.jobs import KINDS

        GAUGES.extend([late("scoring.health:work"), late("scoring.health:workers")])
        COUNTERS.append(late("scoring.ratings.tables:counted_among"))
        NEEDS.append(late("scoring.http.overview:analysis_needs"))
        MORE_RULES.append("scoring.verify")
        stored_data.FURTHER.append(late("scoring.exports.rows:exports_of"))
        stored_data.ERASURE_FURTHER.append(late("scoring.exports.services:derived_erase"))
        OBSTACLES.append(late("scoring.runs.queries:scored"))
        FORGETTERS.append(late("scoring.runs.start:automatic_forget"))
        FOLLOWERS.append(late("scoring.runs.start:runs_follow"))
        MAKERS.append(late("scoring.agreement.report:board_agreement"))
        engine.register(
            engine.Workers(
                notify=late("scoring.work.workers:notify_workers"),
                alive=late("scoring.work.workers:is_alive"),
                paused=late("scoring.work.workers:paused_kinds"),
            )
        )
        engine.kinds_register(*KINDS)
        imports = "scoring.runs.score_import"
        WHOLE["scores"] = late(f"{imports}:scores_import"), late(f"{imports}:runs_json")

        enums: dict[str, Any] = settings.SPECTACULAR_SETTINGS["ENUM_NAME_OVERRIDES"]
        enums["RunScopeEnum"] = "scoring.models.Run.Scope"
        enums["RunStatusEnum"] = "scoring.models.Run.Status"
        enums["ResourceStatusEnum"] = "scoring.models.Resource.Status"
        enums["JobStatusEnum"] = "paraanno.jobs.row.JobStatus"
