import uuid

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("annotation", "0033_templates_of_the_site")]

    operations = [
        migrations.AlterField(
            "savedtemplate", "key",
            models.UUIDField(default=uuid.uuid4, editable=False, unique=True),
        ),
        *(
            migrations.AddConstraint("savedtemplate", one)
            for one in (
                models.CheckConstraint(
                    condition=Q(scope="campaign", campaign__isnull=False)
                    | Q(scope__in=["mine", "site"], campaign__isnull=True),
                    name="template_scope_names_campaign",
                ),
                models.CheckConstraint(
                    condition=Q(bound=False) | ~Q(scope="site"),
                    name="template_bound_is_not_site_wide",
                ),
                models.UniqueConstraint(
                    fields=["name", "created_by"], condition=Q(scope="mine"),
                    name="template_once_mine",
                ),
                models.UniqueConstraint(
                    fields=["name", "campaign"], condition=Q(scope="campaign"),
                    name="template_once_in_campaign",
                ),
                models.UniqueConstraint(
                    fields=["name"], condition=Q(scope="site"), name="template_once_in_site"
                ),
            )
        ),
    ]  # fmt: skip
