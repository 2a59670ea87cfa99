"""A submission keeps what its file says, in every form, and the format of the file."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("shared_tasks", "0003_jobs")]

    operations = [
        migrations.RenameField("submission", "numbers", "answers"),
        migrations.AlterField(
            "submission",
            "answers",
            models.OneToOneField(
                help_text="What its file says, in the order of the frozen files: decisions or "
                "scores as doubles, texts as JSON. The file is read once, when it comes.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="shared_tasks.content",
            ),
        ),
        migrations.AddField(
            "submission",
            "format",
            models.CharField(default="tsv", help_text="Of its file.", max_length=10),
        ),
    ]
