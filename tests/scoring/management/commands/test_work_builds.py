"""`manage.py work_builds`"""

import pytest
from django.core.management import call_command

from tests.scoring.services.builds.parts import asked, corpus


@pytest.mark.once  # The same statements as tests/scoring/services/workers/test_lanes.py.
def test_it_builds_what_waits_and_ends(tmp_path, data_dir, capsys):
    asked(corpus(tmp_path))
    call_command("work_builds")
    assert capsys.readouterr().out == "1 of build\n"
