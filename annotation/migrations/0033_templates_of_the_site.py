import uuid

from django.db import migrations


def of_the_site(apps, schema_editor):
    """Until now administrators alone saved templates, and for everybody."""
    rows = apps.get_model("annotation", "SavedTemplate").objects
    for pk in rows.values_list("pk", flat=True):
        rows.filter(pk=pk).update(scope="site", key=uuid.uuid4())


class Migration(migrations.Migration):
    dependencies = [("annotation", "0032_saved_templates")]

    operations = [migrations.RunPython(of_the_site, migrations.RunPython.noop)]
