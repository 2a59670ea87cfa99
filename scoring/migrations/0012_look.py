"""Looks at comparisons are counted; of campaigns that are open, those before are unknown."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Exists, OuterRef, Q

COMPARING = ("results", "results-gold", "correlation")


def mark(apps, _schema_editor):
    """Campaigns that were opened, or had such a report, may have been looked at any number of times."""
    campaigns = apps.get_model("annotation", "Campaign").objects
    reports = apps.get_model("scoring", "Report").objects
    look = apps.get_model("scoring", "Look")
    seen = Exists(reports.filter(campaign=OuterRef("pk"), kind__in=COMPARING))
    found = campaigns.filter(Q(opened_at__isnull=False) | seen).order_by("pk")
    look.objects.bulk_create(
        [
            look(campaign_id=pk, about=about, state="")
            for pk in found.values_list("pk", flat=True)
            for about in ("results", "correlation")
        ],
        batch_size=500,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0015_import_job"),
        ("scoring", "0011_worker_storage"),
    ]

    operations = [
        migrations.CreateModel(
            name="Look",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("about", models.CharField(choices=[("results", "Results"), ("correlation", "Correlation")], max_length=11)),
                ("state", models.CharField(blank=True, max_length=64)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("campaign", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="looks", to="annotation.campaign")),
            ],
            options={
                "ordering": ["campaign_id", "about", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "about", "state"), name="look_once_per_state"),
                    models.CheckConstraint(condition=models.Q(("about__in", ["results", "correlation"])), name="look_about_known"),
                ],
            },
        ),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
