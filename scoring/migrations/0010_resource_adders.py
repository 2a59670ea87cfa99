"""Who owns a campaign, or does research in one, keeps the right to add files for metrics."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations


def grant(apps: Any, schema_editor: Any) -> None:
    members = apps.get_model("annotation", "Membership").objects
    users = set(
        members.filter(role__in=["owner", "researcher"]).values_list("user_id", flat=True)
    )
    if not users:
        return  # A new site: the permission is made after its tables.
    types = apps.get_model("contenttypes", "ContentType").objects
    of_resources, _ = types.get_or_create(app_label="scoring", model="resource")
    permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=of_resources, codename="add_resource", defaults={"name": "Can add resource"}
    )
    permission.user_set.add(*users)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0009_run_met"),
        ("annotation", "0010_web_host"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [migrations.RunPython(grant, migrations.RunPython.noop)]
