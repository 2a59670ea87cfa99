from django.db import migrations, models
from django.db.models import Q


def checks(model):
    return (
        models.CheckConstraint(
            condition=Q(scope="campaign", campaign__isnull=False)
            | Q(scope__in=["mine", "site"], campaign__isnull=True),
            name=f"{model}_scope_names_campaign",
        ),
        models.CheckConstraint(
            condition=Q(bound=False) | ~Q(scope="site"), name=f"{model}_bound_is_not_site_wide"
        ),
    )


RESOURCE = (
    *checks("resource"),
    models.UniqueConstraint(
        fields=["kind", "sha256", "created_by"], condition=Q(scope="mine"),
        name="resource_once_mine",
    ),
    models.UniqueConstraint(
        fields=["kind", "sha256", "campaign"], condition=Q(scope="campaign"),
        name="resource_once_in_campaign",
    ),
    models.UniqueConstraint(
        fields=["kind", "sha256"], condition=Q(scope="site"), name="resource_once_in_site"
    ),
)  # fmt: skip
BUILD = (
    *checks("build"),
    models.CheckConstraint(
        condition=Q(own_texts=False) | Q(bound=True), name="build_of_own_texts_is_bound"
    ),
)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0017_scope_of_what_is_there")]

    operations = [
        *(migrations.AddConstraint("resource", one) for one in RESOURCE),
        *(migrations.AddConstraint("build", one) for one in BUILD),
    ]
