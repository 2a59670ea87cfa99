from django.apps import AppConfig


class FrameConfig(AppConfig):
    """Wiring: shared tasks find the Celery application, and the system checks are known."""

    name = "paraanno"

    def ready(self) -> None:
        from paraanno import celery, checks  # noqa: F401
