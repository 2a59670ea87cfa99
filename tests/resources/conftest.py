"""A data folder of its own, and somebody who does research, for tests of resources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.factories import make_campaign, make_user
from tests.resources.parts import logged_in


@pytest.fixture
def data_dir(tmp_path: Path, settings: Any) -> Path:
    folder = tmp_path / "data"
    settings.DATA_DIR = folder
    settings.FILE_UPLOAD_TEMP_DIR = folder / "tmp"
    (folder / "tmp").mkdir(parents=True)
    return folder


@pytest.fixture
def owner(data_dir: Path) -> Client:
    make_campaign("lab", items=2, open_it=False)
    return logged_in(make_user("alice"))
