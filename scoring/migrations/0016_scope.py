import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

SCOPES = [("mine", "Only its owner"), ("campaign", "One campaign"), ("site", "The whole site")]
BOUND = "It came from texts of a campaign, so its scope never changes."


def scope():
    return models.CharField(choices=SCOPES, default="mine", max_length=10)


def bound():
    return models.BooleanField(default=False, help_text=BOUND)


def campaign():
    return models.ForeignKey(
        help_text="Whose owners and researchers see it, if that is its scope.", null=True,
        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotation.campaign",
    )  # fmt: skip


def owner():
    return models.ForeignKey(
        help_text="Its owner.", null=True, on_delete=django.db.models.deletion.SET_NULL,
        related_name="+", to=settings.AUTH_USER_MODEL,
    )  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0034_templates_by_place"),
        ("scoring", "0015_build_campaign"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint("resource", "resource_content_once"),
        migrations.AddField("resource", "scope", scope()),
        migrations.AddField("resource", "campaign", campaign()),
        migrations.AddField("resource", "bound", bound()),
        migrations.AlterField("resource", "created_by", owner()),
        migrations.AddField("build", "scope", scope()),
        migrations.AlterField("build", "campaign", campaign()),
        migrations.AddField("build", "bound", bound()),
        migrations.AddField(
            "build", "own_texts",
            models.BooleanField(
                default=False,
                help_text="Its campaign’s own texts are its input `texts`, which the work writes "
                "first.",
            ),
        ),
        migrations.AlterField("build", "created_by", owner()),
    ]  # fmt: skip
