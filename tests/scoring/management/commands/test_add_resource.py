"""manage.py add_resource KIND FILE"""

import pytest
from django.core.management import CommandError, call_command

from scoring.metrics.resources import kinds
from scoring.models import Resource
from tests.scoring.resources import files

pytestmark = pytest.mark.usefixtures("data_dir")


@pytest.mark.parametrize("kind", kinds.kinds())
def test_the_command_refuses_a_file_by_line_and_leaves_nothing(tmp_path, data_dir, kind):
    file = tmp_path / "bad.txt"
    file.write_bytes(b"2 2\ncat 1 0\ndog x y\n\xff\n")
    with pytest.raises(CommandError, match=r"bad\.txt:[0-4]: ") as refused:
        call_command("add_resource", kind, file)
    assert refused.value.returncode == 2
    assert not Resource.objects.exists()
    assert files(data_dir) == []
