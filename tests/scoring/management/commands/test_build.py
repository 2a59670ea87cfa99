"""`manage.py build`"""

import pytest
from django.core.management import call_command

from scoring.models import Build, Resource
from tests.scoring.services.builds.parts import corpus

pytestmark = [pytest.mark.usefixtures("data_dir"), pytest.mark.once]
# The same statements as tests/scoring/services/builds.


def test_a_build_is_left_to_workers_or_waited_for(tmp_path, capsys):
    given = ("lm", "--input", f"text={corpus(tmp_path).key}", "--option", "order=2")
    call_command("build", *given, "--name", "Tiny")
    build = Build.objects.get()
    assert capsys.readouterr().out == f"{build.key} Tiny: Queued\n"
    call_command("build", *given, "--wait")
    made = Resource.objects.get(kind="lm")
    assert capsys.readouterr().out == f"{build.key} Tiny: Done, resource {made.key}\n"
    # What a process that died has left is gone on with.
    made.delete()
    call_command("build", *given)
    Build.objects.filter(status="queued").update(
        status="running", worker="elsewhere:1:x/2", attempts=1, started_at="2026-01-01T00:00Z"
    )
    call_command("build", *given, "--wait")
    gone_on = Build.objects.order_by("pk").last()
    assert (gone_on.status, gone_on.resource is not None) == ("done", True)
