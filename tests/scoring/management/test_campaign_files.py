"""Commands that write a file of a campaign."""

import pytest
from django.core.management import CommandError

from annotation.errors import Invalid
from scoring.management.command_files import campaign_file


def test_a_file_is_whole_or_as_it_was(tmp_path):
    path = tmp_path / "file"
    assert campaign_file(str(path), lambda stream: stream.write(b"whole")) == 5

    def refused(stream):
        stream.write(b"half")
        raise Invalid("no licence")

    with pytest.raises(Invalid, match="no licence"):
        campaign_file(str(path), refused)
    assert path.read_bytes() == b"whole"
    with pytest.raises(CommandError, match="No such file") as ended:
        campaign_file(str(tmp_path / "none" / "file"), refused)
    assert ended.value.returncode == 2
