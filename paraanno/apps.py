from typing import ClassVar

from django.apps import AppConfig, apps
from django.contrib.admin.apps import AdminConfig


class OwnApp(AppConfig):
    """An app of ours, which registers its pages, jobs and rules once all models are there.

    `register` imports half of the source, which the process that prepares a start does without.
    Where this class is imported, Django asks which class is the app: `default` says.
    """

    default = False
    registers: ClassVar[bool] = True

    def ready(self) -> None:
        if OwnApp.registers:
            self.register()

    def register(self) -> None:
        """Add what the app brings to what others have begun."""


def register_all() -> None:
    """Register what `OwnApp.registers` has left out; nothing where all has been registered."""
    if OwnApp.registers:
        return
    OwnApp.registers = True
    for config in apps.get_app_configs():
        if isinstance(config, OwnApp | AdministrationConfig):
            config.ready()


class FrameConfig(OwnApp):
    """Load the Celery application, for shared tasks, and register the system checks."""

    name = "paraanno"

    def register(self) -> None:
        from paraanno import celery, checks  # noqa: F401


class AdministrationConfig(AdminConfig):
    """Django's administration, which asks whether it is you before it changes anything."""

    default_site = "annotation.accounts.views.ConfirmedAdminSite"

    def ready(self) -> None:
        if OwnApp.registers:
            super().ready()
