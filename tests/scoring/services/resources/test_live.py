"""Resources with real servers: a worker killed half-way, and a browser from upload to run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.test import override_settings

from scoring.metrics.resources.vectors import load_vectors
from scoring.models import Resource, Run
from tests.annotation.views.collecting.screen import HASHER
from tests.axe import violations
from tests.factories import make_campaign, make_user
from tests.live import Site
from tests.scoring.metrics.vector_files import CIRCLE, write_vectors
from tests.scoring.services.resources.parts import files

WORDS, SIZE = 60_000, 60


def random_vectors(path: Path) -> Path:
    """Word2vec text that takes a worker some seconds."""
    values = np.random.default_rng(5).integers(1, 999, size=(WORDS, SIZE))
    lines = (f"w{at} {' '.join(map(str, row))}" for at, row in enumerate(values.tolist()))
    path.write_text(f"{WORDS} {SIZE}\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def status_of(site: Site, pk: int) -> tuple[str, float]:
    with site.database():
        found: tuple[str, float] = Resource.objects.values_list("status", "progress").get(pk=pk)
    return found


def test_a_worker_killed_half_way_leaves_no_half_store(
    live_site: Callable[..., Site], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    from scoring.services.resources.add import resource_from_server

    random_vectors(tmp_path / "v.txt")
    settings.RESOURCE_DIR = str(tmp_path)
    monkeypatch.setattr("scoring.services.workers.notify._send", lambda *_: None)
    site = live_site(environment={"PARAANNO_RESOURCE_DIR": str(tmp_path)})
    with site.database():
        found, _ = resource_from_server(kind="vectors", path="v.txt", actor=None)
    stray = site.data_dir / "resources" / "vectors-0"  # Of a resource that is gone.
    stray.mkdir(parents=True)
    (stray / "vectors.npy").touch()
    os.utime(stray, (0, 0))
    site.start("worker")
    site.until(lambda: 0 < status_of(site, found.pk)[1] < 1, "the conversion moves on")
    site.kill("worker")
    assert status_of(site, found.pk)[0] == "checking"
    left = files(site.data_dir / "resources")
    assert any(name.startswith("half-") for name in left)
    assert not any(name.startswith("vectors-") for name in left if name != "vectors-0/vectors.npy")
    site.start("worker")
    site.until(lambda: status_of(site, found.pk)[0] != "checking", "it is converted", patience=240)
    with site.database():
        found.refresh_from_db()
    assert (found.status, found.error, found.attempts) == ("ready", "", 2)
    assert found.meta == {"words": WORDS, "size": SIZE}
    left = files(site.data_dir / "resources")
    assert len(left) == 4 and all(name.startswith("vectors-") for name in left)
    assert len(load_vectors(str(site.data_dir / found.path)).rows) == WORDS


@pytest.mark.browser
def test_from_an_upload_to_a_run(
    live_site: Callable[..., Site], new_page: Callable[..., Any], tmp_path: Path
) -> None:
    site = live_site(environment={"PARAANNO_MAX_RESOURCE_MB": "1"})
    with site.database(), override_settings(PASSWORD_HASHERS=HASHER):
        make_campaign("lab", items=2, open_it=False)
        alice = make_user("alice")
        alice.set_password("a-long-enough-secret-7")
        alice.save()
    site.start("web")
    site.start("worker")
    page = new_page()
    page.goto(f"{site.url}/accounts/login/?next=/resources/")
    page.fill("[name=username]", "alice")
    page.fill("[name=password]", "a-long-enough-secret-7")
    page.click("main button")
    page.wait_for_url(f"{site.url}/resources/")
    page.set_input_files("[name=file]", write_vectors(tmp_path / "circle.txt", CIRCLE))
    page.fill("[name=name]", "Circle")
    page.click("main form.card .button")
    page.wait_for_selector("tr[data-status=ready]:has-text('6 words')", timeout=120_000)
    assert violations(page) == []

    (tmp_path / "large.txt").write_bytes(b"x" * (2**20 + 1))
    page.set_input_files("[name=file]", tmp_path / "large.txt")
    assert "larger than 1 MB" in page.eval_on_selector("[name=file]", "it => it.validationMessage")
    page.eval_on_selector("main form.card", "form => { form.noValidate = true; }")
    page.click("main form.card .button")
    page.wait_for_selector(".errors:has-text('larger than 1 MB')")

    with site.database():
        key = str(Resource.objects.get().key)
    page.goto(f"{site.url}/c/lab/runs/")
    page.check("input[value=weem4pg]")
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    page.select_option("[name='weem4pg.vectors']", key)
    page.click("text=Start >> nth=-1")
    page.wait_for_selector("tr[data-run][data-status=done]", timeout=120_000)
    with site.database():
        assert Run.objects.get().failed == 0

    page.goto(f"{site.url}/resources/")
    row = page.locator(f"tr[data-resource='{key}']")
    assert row.locator("td[data-label=Runs]").inner_text() == "1"
    row.locator("summary").click()
    row.locator("button").click()
    page.wait_for_selector("text=Circle was removed")
    assert files(site.data_dir / "resources") == []
