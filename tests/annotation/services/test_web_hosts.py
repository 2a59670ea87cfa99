"""Which hosts serve pages, and from which data folder."""

from annotation.database import shares_files, web_host_seen
from annotation.models import WebHost


def test_a_host_has_one_row_with_its_folder_and_old_hosts_are_forgotten(settings, tmp_path):
    WebHost.objects.create(name="gone", storage="x", seen_at="2020-01-01T00:00Z")
    for folder in ("one", "two", "one"):
        settings.DATA_DIR = tmp_path / folder
        settings.DATA_DIR.mkdir(exist_ok=True)
        web_host_seen()
        [host] = WebHost.objects.all()
        assert host.storage == (settings.DATA_DIR / "storage_id").read_text()
    assert shares_files()
    settings.DATA_DIR = tmp_path / "two"
    assert not shares_files()
    assert host.storage != (tmp_path / "two" / "storage_id").read_text()
