"""`manage.py work_builds`"""

import pytest
from django.core.management import call_command

from scoring.models import Build, Resource
from tests.scoring.builds import asked, corpus


@pytest.mark.once  # The same statements as tests/scoring/services/workers/test_lanes.py.
def test_it_builds_what_waits_and_ends(tmp_path, data_dir, capsys):
    asked(corpus(tmp_path))
    call_command("work_builds")
    assert capsys.readouterr().out == "1 of build\n"


# `manage.py build`


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
