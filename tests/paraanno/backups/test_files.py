"""Which files a backup keeps, and copies of them in two rounds."""

import hashlib

import pytest

from paraanno.backups.copies import Copier, copy_file, kept_files, top_names


@pytest.fixture
def data_dir(tmp_path):
    folder = tmp_path / "site"
    for name in (
        "secret_key",
        "files/exports/a.zip",
        "resources/incoming/b.bin",
        "wordnet/data.noun",
        "paraanno.sqlite3",
        "paraanno.sqlite3-wal",
        "logs/web.log",
        "broker/queue/1",
        "tmp/x",
        "static/a.css",
        "builds.lock",
        "models/big/weights",
        "wordnet.part/data.noun",
        "backups/paraanno-20260301-030000/manifest.json",
        "restoring",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def test_what_a_start_makes_anew_is_left_out(data_dir):
    database = data_dir / "paraanno.sqlite3"
    assert sorted(kept_files(data_dir, database)) == [
        "files/exports/a.zip",
        "resources/incoming/b.bin",
        "secret_key",
        "wordnet/data.noun",
    ]
    assert top_names(data_dir, database) == ["files", "resources", "secret_key", "wordnet"]


def test_the_second_round_takes_what_is_new_or_changed_and_keeps_what_has_gone(data_dir, tmp_path):
    target = tmp_path / "copy"
    copier = Copier(data_dir, target, data_dir / "paraanno.sqlite3")
    copier.round()
    (data_dir / "files/exports/a.zip").unlink()
    (data_dir / "files/exports/c.zip").write_text("new")
    (data_dir / "secret_key").write_text("another")
    (target / "wordnet/data.noun").write_text("not copied again")
    copier.round()
    assert (target / "files/exports/a.zip").read_text() == "files/exports/a.zip"
    assert (target / "files/exports/c.zip").read_text() == "new"
    assert (target / "secret_key").read_text() == "another"
    assert (target / "wordnet/data.noun").read_text() == "not copied again"
    assert copier.copied["secret_key"].sha256 == hashlib.sha256(b"another").hexdigest()


def test_copies_are_read_by_their_owner_alone(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 3_000_000)
    kept = copy_file(tmp_path / "a", tmp_path / "deep" / "b")
    assert kept.size == 3_000_000
    assert kept.sha256 == hashlib.sha256(b"x" * 3_000_000).hexdigest()
    assert (tmp_path / "deep" / "b").stat().st_mode & 0o777 == 0o600
