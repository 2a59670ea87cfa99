from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """Data collection: campaigns, annotators and their judgments."""

    name = "annotation"

    def ready(self) -> None:
        """Register tabs, the /readyz part and what is done at logins."""
        from annotation import health  # noqa: F401
        from annotation.services.people import logins, tokens  # noqa: F401
        from annotation.views import tabs  # noqa: F401
