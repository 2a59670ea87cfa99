from django.db import migrations, models
from django.db.models.functions import Upper

SENTENCE = ("GRAMMAR", "FLUENCY")  # of the templates: they judge the sentence alone


def name_scales(apps, schema_editor):
    scales = apps.get_model("annotation", "Scale").objects.annotate(upper=Upper("name"))
    scales.filter(upper__in=SENTENCE).update(copy_at_top=False)


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0013_people_in_the_log'),
    ]

    operations = [
        migrations.AddField(
            model_name='scale',
            name='copy_at_top',
            field=models.BooleanField(default=True, help_text='An exact copy of the phrase deserves the best value, whatever the sentence is.'),
        ),
        migrations.RunPython(name_scales, migrations.RunPython.noop),
    ]
