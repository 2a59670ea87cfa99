"""The built distributions, installed without the checkout, and started with one word."""

import contextlib
import os
import signal
import site
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile
from pathlib import Path

import pytest

from tests import HOME
from tests.live import PATIENCE, free_port
from tests.live_parts import clean_environment

pytestmark = pytest.mark.slow
MOST_BYTES = 5_000_000
PAIRS = "id,original,paraphrase\n1,the cat sat down,the cat sat\n2,it rains,rain falls\n"
RATINGS = "item,annotator,scale,value\n" + "".join(
    f"{item},{annotator},M,{value}\n"
    for item, values in enumerate([(3, 4), (2, 2), (5, 4), (1, 2)])
    for annotator, value in zip("ab", values, strict=True)
)


def build(target, folder, source=HOME):
    """Build with this environment's hatchling, without the date that a release may set."""
    environment = {**os.environ}
    environment.pop("SOURCE_DATE_EPOCH", None)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)],
        cwd=source,
        env=environment,
        check=True,
        capture_output=True,
    )
    (built,) = folder.iterdir()
    return built


class Copy:
    """A copy in an environment of its own, which has our dependencies and no checkout."""

    def __init__(self, wheel, folder):
        self.folder = folder
        for name in ("home", "elsewhere"):
            (folder / name).mkdir(parents=True)
        subprocess.run(
            [sys.executable, "-m", "venv", "--without-pip", str(folder / "env")], check=True
        )
        self.bin = folder / "env" / "bin"
        (packages,) = (folder / "env" / "lib").glob("python*/site-packages")
        (packages / "others.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
        subprocess.run(
            [
                *(sys.executable, "-m", "pip", "--python", str(self.bin / "python"), "install"),
                *("--quiet", "--no-deps", "--no-index", str(wheel)),
            ],
            check=True,
        )
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = clean_environment(
            HOME=str(folder / "home"), PARAANNO_PORT=str(self.port), PARAANNO_DATA_DIR=""
        )
        self.environment.pop("PYTHONPATH", None)

    def run(self, *words):
        done = subprocess.run(
            [str(self.bin / "paraanno"), *words],
            cwd=self.folder / "elsewhere",
            env=self.environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def started(self):
        with (self.folder / "output").open("wb") as output:
            return subprocess.Popen(
                [str(self.bin / "paraanno"), "--data", str(self.folder / "data")],
                cwd=self.folder / "elsewhere",
                env=self.environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def written_elsewhere(self):
        """What lies where no program of ours may write."""
        return [
            str(path.relative_to(self.folder))
            for name in ("home", "elsewhere")
            for path in (self.folder / name).rglob("*")
        ]

    def logins(self):
        lines = (self.folder / "data" / "demo_logins.txt").read_text(encoding="utf-8").splitlines()
        return dict(line.split("\t")[:2] for line in lines if "\t" in line)


def wait_for_page(url, process):
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=10) as answer:
            return answer.read()
        time.sleep(0.1)
    raise AssertionError(f"{url} never answered.")


def stop(process):
    process.send_signal(signal.SIGINT)
    try:
        return process.wait(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build("wheel", tmp_path_factory.mktemp("wheel"))


def contents(wheel):
    with zipfile.ZipFile(wheel) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def test_built_twice_they_have_the_same_bytes_and_a_wheel_is_small(wheel, tmp_path):
    assert build("wheel", tmp_path / "again").read_bytes() == wheel.read_bytes()
    assert wheel.stat().st_size < MOST_BYTES
    first, second = (build("sdist", tmp_path / name).read_bytes() for name in ("one", "two"))
    assert first == second


def test_a_wheel_has_every_file_of_the_folders_that_are_no_code(wheel):
    tracked = subprocess.run(
        ["git", "ls-files", "docs", "examples", "locale", "static", "templates"],
        cwd=HOME,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    packed = set(zipfile.ZipFile(wheel).namelist())
    # Pages read the compiled texts.
    wanted = [name for name in tracked if not name.endswith((".po", "POTFILES"))]
    assert [name for name in wanted if f"paraanno/share/{name}" not in packed] == []


@pytest.mark.browser
def test_an_installed_wheel_starts_with_one_word_and_keeps_to_its_folder(wheel, tmp_path, page):
    copy = Copy(wheel, tmp_path)
    process = copy.started()
    try:
        wait_for_page(f"{copy.url}/healthz", process)
        logins = copy.logins()
        enter(page, copy.url, "annotator", logins)
        page.goto(f"{copy.url}/rate/demo/")
        page.click("main form .button")
        page.wait_for_selector(".question.current")
        page.wait_for_selector("form.sheet:not([data-fresh])")
        sheet = page.get_attribute("form.sheet", "data-sheet")
        for _ in page.locator(".question").all():
            page.keyboard.press("Digit4")
        page.wait_for_selector(f"form.sheet:not([data-sheet='{sheet}'])")  # The next one.
        page.wait_for_selector("#save-state[data-state=saved]")
        page.context.clear_cookies()
        enter(page, copy.url, "researcher", logins)
        for path in ("", "docs/", "c/demo/", "c/demo/agreement/"):
            assert page.goto(f"{copy.url}/{path}").ok
            assert page.locator("h1").count() == 1
    finally:
        assert stop(process) == 0
    (tmp_path / "data" / "pairs.csv").write_text(PAIRS, encoding="utf-8")
    (tmp_path / "data" / "ratings.csv").write_text(RATINGS, encoding="utf-8")
    pairs, ratings = (str(tmp_path / "data" / name) for name in ("pairs.csv", "ratings.csv"))
    assert '"pinc"' in copy.run("score", pairs, "--metric", "pinc", "--json")
    assert "alpha_ordinal" in copy.run("agreement", ratings)
    table = tmp_path / "data" / "scores.csv"
    table.write_text("M,pinc\n" + "".join(f"{n},{n % 5}\n" for n in range(1, 10)), encoding="utf-8")
    assert "kendall" in copy.run("correlate", str(table), "--human", "M", "--metric", "pinc")
    assert str(tmp_path / "home") in copy.run("--version")
    assert copy.written_elsewhere() == []


def enter(page, url, name, logins):
    page.goto(f"{url}/accounts/login/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", logins[name])
    page.click("main form [type=submit], main form .button")


def test_a_wheel_built_of_the_sdist_has_the_same_files(wheel, tmp_path):
    with tarfile.open(build("sdist", tmp_path / "sdist")) as packed:
        packed.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    again = build("wheel", tmp_path / "wheel", Path(source))
    assert contents(again) == contents(wheel)
