"""manage.py make_demo_vectors"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from scoring.management.commands import make_demo_vectors as module
from scoring.services.demo.files import demo_rows


def test_it_writes_where_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(module, "demo_rows", lambda: demo_rows()[:2])
    call_command("make_demo_vectors", to=tmp_path / "vectors.txt")
    n, size = (tmp_path / "vectors.txt").read_text().split("\n")[0].split(" ")
    assert size == "24" and f"{n} words in" in capsys.readouterr().out
