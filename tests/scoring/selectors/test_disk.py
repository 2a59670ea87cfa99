"""Sizes of folders and of the database, as they are on the disk."""

from scoring.work.jobs import disk_use, size_of


def test_every_byte_is_counted_once(settings, tmp_path):
    settings.DATA_DIR, settings.BACKUP_DIR = tmp_path / "data", tmp_path / "backups"
    for name, size in (
        ("data/files/exports/a", 10),
        ("data/resources/r/b", 20),
        ("data/logs/c", 30),
        ("data/key", 5),
        ("backups/d", 40),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x" * size)
    use = disk_use()
    sizes = {part.name: part.size for part in use.parts}
    assert sizes.pop("database") > 1000
    assert {name: size for name, size in sizes.items() if size} == {
        "files": 10,
        "resources": 20,
        "logs": 30,
        "other": 5,
        "backups": 40,
    }
    assert 0 < use.free < use.total and not use.low and use.removable == 0
    settings.DISK_FREE_MB = 10**9
    assert disk_use().low
    assert size_of(tmp_path / "nothing") == 0
