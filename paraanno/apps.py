from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class FrameConfig(AppConfig):
    """Load the Celery application, for shared tasks, and register the system checks."""

    name = "paraanno"

    def ready(self) -> None:
        from paraanno import celery, checks  # noqa: F401


class AdministrationConfig(AdminConfig):
    """Django's administration, which asks whether it is you before it changes anything."""

    default_site = "annotation.accounts.confirm_views.ConfirmedAdminSite"
