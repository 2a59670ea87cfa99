"""Runs of metrics that read one language remember which languages the texts had."""

from django.db import migrations, models

# Metrics of that time that read one language, whatever their options.
BOUND = ("apem", "apem_sd", "apem_sdgd", "bleu_apem", "meteor")


def reads_one_language(metric, options):
    """Whether the metric, or one that it is made of, does; the versions before had no such mark."""
    if metric in BOUND or options.get("tokenize") in ("ko", "zh") or options.get("stem") == "porter":
        return True
    inside = f"{options.get('of', '')} {options.get('metric', '')}"
    return any(word in inside for word in (*BOUND, "tokenize=ko", "tokenize=zh", "stem=porter"))


def mark(apps, _schema_editor):
    """Until now no campaign had a language, so that such runs saw it change 0 times."""
    run = apps.get_model("scoring", "Run")
    bound = [
        pk
        for pk, metric, options in run.objects.values_list("pk", "metric", "options")
        if reads_one_language(metric, options)
    ]
    for at in range(0, len(bound), 500):
        run.objects.filter(pk__in=bound[at : at + 500]).update(language_changes=0)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0007_parts_of_sentences"),
        ("annotation", "0009_language"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="language_changes",
            field=models.PositiveIntegerField(
                help_text="The campaign's number when the run began; none where the metric reads any.",
                null=True,
            ),
        ),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
