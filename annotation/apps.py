from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """Data collection: campaigns, annotators and their judgments."""

    name = "annotation"

    def ready(self) -> None:
        """Register pages, what needs attention, the /readyz part and what is done at logins."""
        from annotation import health  # noqa: F401
        from annotation.jobs import IMPORT
        from annotation.presenters import help_pages  # noqa: F401
        from annotation.presenters.overview import NEEDS
        from annotation.services.accounts import sessions, tokens  # noqa: F401
        from annotation.services.letters import UNFOLD
        from annotation.services.people import logins  # noqa: F401
        from annotation.views import tabs  # noqa: F401
        from paraanno.jobs.kinds import register
        from paraanno.plain.late import late
        from paraanno.sight.gauges import GAUGES

        register(IMPORT)
        GAUGES.append(late("annotation.gauges:collecting"))
        NEEDS.append(late("annotation.presenters.needs:collecting_needs"))
        NEEDS.append(late("annotation.presenters.letters:letter_needs"))
        UNFOLD["forgotten"] = late("annotation.services.accounts.forgotten:reset_write")
