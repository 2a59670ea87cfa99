from django.apps import AppConfig


class FrameConfig(AppConfig):
    """Load the Celery application, for shared tasks, and register the system checks."""

    name = "paraanno"

    def ready(self) -> None:
        from paraanno import celery, checks  # noqa: F401
