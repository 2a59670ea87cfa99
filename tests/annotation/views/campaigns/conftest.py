"""The campaign whose guidelines are read, and a draft that takes files."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.models import Campaign
from tests.annotation.presenters.conftest import campaign
from tests.factories import make_campaign

__all__ = ["campaign"]


@pytest.fixture
def draft(data_dir: Path) -> Campaign:
    return make_campaign(items=1, open_it=False)
