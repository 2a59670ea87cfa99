"""Whether a site has workers."""

import io

from annotation.services.importing.jobs import goes_to_worker
from paraanno.jobs import workers


def test_without_workers_everything_is_imported_at_once(monkeypatch):
    large = io.BytesIO(b"{}\n" * 10_001)
    assert goes_to_worker(stream=large, name="a.jsonl", format=None)
    monkeypatch.setattr(workers, "_registered", [])
    assert not goes_to_worker(stream=large, name="a.jsonl", format=None)
