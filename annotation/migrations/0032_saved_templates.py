import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

SCOPES = [("mine", "Only its owner"), ("campaign", "One campaign"), ("site", "The whole site")]


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0031_substitution_in_role"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RenameModel("SiteTemplate", "SavedTemplate"),
        migrations.AddField(
            "savedtemplate", "scope",
            models.CharField(choices=SCOPES, default="mine", max_length=10),
        ),
        migrations.AddField(
            "savedtemplate", "campaign",
            models.ForeignKey(
                help_text="Whose owners and researchers see it, if that is its scope.", null=True,
                on_delete=django.db.models.deletion.CASCADE, related_name="+",
                to="annotation.campaign",
            ),
        ),
        migrations.AddField(
            "savedtemplate", "bound",
            models.BooleanField(
                default=False,
                help_text="It came from texts of a campaign, so its scope never changes.",
            ),
        ),
        migrations.AddField(
            "savedtemplate", "key", models.UUIDField(default=uuid.uuid4, editable=False, null=True)
        ),
        migrations.AlterField(
            "savedtemplate", "created_by",
            models.ForeignKey(
                help_text="Its owner.", null=True, on_delete=django.db.models.deletion.SET_NULL,
                related_name="+", to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField("savedtemplate", "name", models.SlugField(max_length=60)),
    ]  # fmt: skip
