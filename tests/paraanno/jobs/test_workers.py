"""Whether a site has workers."""

import io

from annotation.importing.jobs import goes_to_worker
from paraanno.jobs import engine


def test_without_workers_everything_is_imported_at_once(monkeypatch):
    large = io.BytesIO(b"{}\n" * 10_001)
    assert goes_to_worker(stream=large, name="a.jsonl", format=None)
    monkeypatch.setattr(engine, "_registered", [])
    assert not goes_to_worker(stream=large, name="a.jsonl", format=None)
