from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """Data collection: campaigns, annotators and their judgments."""

    name = "annotation"

    def ready(self) -> None:
        """Register the tabs of this app."""
        from annotation.views import tabs  # noqa: F401
