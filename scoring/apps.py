from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """Analyses: what the judgments and the metrics say."""

    name = "scoring"

    def ready(self) -> None:
        """Add the rules of runs and reports to those that `verify` checks."""
        from scoring.selectors import verify  # noqa: F401
