from django.db.models.signals import post_migrate

from paraanno.apps import OwnApp
from paraanno.common.lazy_import import late


class AnnotationConfig(OwnApp):
    """Data collection: campaigns, annotators and their judgments."""

    name = "annotation"
    default = True

    def ready(self) -> None:
        # Where nothing else is registered, too: the process that prepares a start migrates.
        post_migrate.connect(late("annotation.sheets.tally:tally_ensure"), self, weak=False)
        super().ready()

    def register(self) -> None:
        """Register pages, what needs attention, the /readyz part and what is done at logins."""
        from annotation import health  # noqa: F401
        from annotation.accounts import (
            login,  # noqa: F401
            tokens,  # noqa: F401
        )
        from annotation.campaigns.overview import NEEDS
        from annotation.http import pages  # noqa: F401
        from annotation.jobs import IMPORT
        from annotation.mail.emails import UNFOLD
        from paraanno.jobs.engine import kinds_register
        from paraanno.observability.counted import GAUGES

        kinds_register(IMPORT)
        GAUGES.append(late("annotation.health:collecting"))
        NEEDS.append(late("annotation.board.needs:collecting_needs"))
        NEEDS.append(late("annotation.mail.emails:letter_needs"))
        UNFOLD["forgotten"] = late("annotation.accounts.users:reset_write")
