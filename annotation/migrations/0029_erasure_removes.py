from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0028_doors")]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="erasure_removes",
            field=models.BooleanField(
                default=False,
                help_text="Erasing a person deletes their judgments; else these keep their code.",
            ),
        ),
    ]
