"""The recording of what others rely on."""

from datetime import UTC, datetime

from tools import record


def test_what_was_lost_or_changed_is_printed(tmp_path, capsys):
    for name, text in (("old", "export demo\nsite\n"), ("new", "site\nscore\n")):
        (tmp_path / name / "exports").mkdir(parents=True)
        (tmp_path / name / "commands.txt").write_text(text)
        (tmp_path / name / "exports" / "same.csv").write_text("a,b\n")
    assert record.compare(tmp_path / "old", tmp_path / "new") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["commands.txt: 2 lines", "  -export demo", "  +score"]
    assert lines[3:] == ["2 files, 1 of them differ."]
    assert record.compare(tmp_path / "old", tmp_path / "old") == 0


def test_what_a_recording_finds():
    assert "accounts/confirm/ confirm GET POST" in record.addresses()
    assert "PARAANNO_EMAIL_PORT env_int 587 minimum=1" in record.variables()
    begun = datetime(2026, 3, 1, tzinfo=UTC)
    text = "2026-02-28T23:59:59+00:00 2026-03-01T00:00:00.5Z"
    assert record.without_now(text, begun) == "2026-02-28T23:59:59+00:00 NOW"
