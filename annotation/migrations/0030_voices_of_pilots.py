from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):

    dependencies = [
        ("annotation", "0029_erasure_removes"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="annotator", name="annotator_origin_known"),
        migrations.AlterField(
            model_name="annotator",
            name="origin",
            field=models.CharField(
                choices=[
                    ("invited", "Invited"),
                    ("participant", "Participant"),
                    ("imported", "Imported"),
                    ("simulated", "Simulated"),
                    ("anonymous", "Anonymous"),
                    ("pilot", "From a pilot"),
                ],
                default="invited",
                max_length=12,
            ),
        ),
        migrations.AddConstraint(
            model_name="annotator",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "origin__in",
                        [
                            "invited", "participant", "imported", "simulated", "anonymous", "pilot",
                        ],
                    )
                ),
                name="annotator_origin_known",
            ),
        ),
        migrations.AddField(
            model_name="annotator",
            name="from_pilot",
            field=models.ForeignKey(
                help_text="Who gave the judgments in the pilot that they were taken over from.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="pilot_voices",
                to="annotation.annotator",
            ),
        ),
    ]
