"""Somebody who does research, for tests of resources."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from tests.factories import make_campaign, make_user
from tests.resources.parts import logged_in


@pytest.fixture
def owner(data_dir: Path) -> Client:
    make_campaign("lab", items=2, open_it=False)
    return logged_in(make_user("alice"))
