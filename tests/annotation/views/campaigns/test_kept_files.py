import os
from types import SimpleNamespace

import pytest

from annotation.errors import Invalid
from annotation.importing.views import (
    KEPT_FOR,
    change_options,
    forget,
    keep,
    kept_options,
    kept_paths,
)
from tests.clients import upload


def test_a_file_is_kept_for_its_owner_and_forgotten_in_time(data_dir):
    request = SimpleNamespace(user=SimpleNamespace(pk=1))
    campaign = SimpleNamespace(pk=2)
    name = keep(request, campaign, upload("a.csv", b"x"), {"what": "items"})
    assert kept_paths(name)[0].read_bytes() == b"x"
    page = SimpleNamespace(user=request.user, campaign=campaign)
    options = {**kept_options(page, name), "mapping": {}}
    change_options(name, options)
    assert kept_options(page, name) == options
    with pytest.raises(Invalid):
        kept_options(SimpleNamespace(user=request.user, campaign=SimpleNamespace(pk=3)), name)
    old = kept_paths(name)[0].stat().st_mtime - KEPT_FOR - 1
    for path in kept_paths(name):
        os.utime(path, (old, old))
    other = keep(request, campaign, upload("b.csv", b"y"), {})
    assert not kept_paths(name)[0].exists()
    forget(other)
    with pytest.raises(Invalid):
        kept_paths("../secret")
