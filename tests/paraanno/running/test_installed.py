"""The built distributions, installed without the checkout, and started with one word."""

import contextlib
import json
import os
import re
import signal
import site
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from uuid import uuid4

import pytest

from tests import HOME
from tests.annotation.screen import Screen
from tests.live import PATIENCE, free_port
from tests.live_parts import clean_environment

pytestmark = pytest.mark.slow
MOST_BYTES = 5_000_000
FILES = {
    "pairs.csv": "id,original,paraphrase\n1,the cat sat down,the cat sat\n2,it rains,rain falls\n",
    "ratings.csv": "item,annotator,scale,value\n1,a,S,1\n1,b,S,2\n2,a,S,4\n2,b,S,4\n3,a,S,2\n",
    "table.csv": "item,people,metric\n1,3,.1\n2,4,.3\n3,1,.2\n4,5,.6\n5,2,.1\n",
}
COMMANDS = [
    ("score", "pairs.csv", "--metric", "pinc"),
    ("agreement", "ratings.csv"),
    ("correlate", "table.csv", "--human", "people", "--metric", "metric"),
]


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

    def __init__(self, built, folder):
        self.folder = folder
        for name in ("home", "elsewhere"):
            (folder / name).mkdir(parents=True)
        subprocess.run(
            [sys.executable, "-m", "venv", "--without-pip", str(folder / "env")], check=True
        )
        self.bin = folder / "env" / "bin"
        (packages,) = (folder / "env" / "lib").glob("python*/site-packages")
        (packages / "others.pth").write_text("\n".join(site.getsitepackages()), "utf-8")
        subprocess.run(
            [
                *(sys.executable, "-m", "pip", "--python", str(self.bin / "python"), "install"),
                *("--quiet", "--no-deps", "--no-index", "--no-build-isolation", str(built)),
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
        lines = (self.folder / "data" / "demo_logins.txt").read_text("utf-8").splitlines()
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


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    return build("sdist", tmp_path_factory.mktemp("sdist"))


def test_built_again_of_an_sdist_they_have_the_same_bytes_and_a_wheel_is_small(
    wheel, sdist, tmp_path
):
    with tarfile.open(sdist) as packed:
        packed.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    assert build("sdist", tmp_path / "sdist again", source).read_bytes() == sdist.read_bytes()
    assert build("wheel", tmp_path / "wheel", source).read_bytes() == wheel.read_bytes()
    assert wheel.stat().st_size < MOST_BYTES


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


PAGES = ("", "docs/", "c/demo/", "c/demo/agreement/")


@contextlib.contextmanager
def running(copy):
    """The copy, started with one word; it ends at Ctrl-C, and keeps to its folder all the time."""
    process = copy.started()
    try:
        wait_for_page(f"{copy.url}/healthz", process)
        yield
    finally:
        assert stop(process) == 0
    for name, text in FILES.items():
        (copy.folder / "data" / name).write_text(text, "utf-8")
    for command, name, *words in COMMANDS:
        answer = json.loads(copy.run(command, str(copy.folder / "data" / name), *words, "--json"))
        assert next(iter(answer)) == {"score": "metrics", "agreement": "scales"}.get(
            command, "human"
        )
    assert str(copy.folder / "home") in copy.run("--version")
    assert copy.written_elsewhere() == []


@pytest.mark.nightly
def test_of_an_sdist_it_starts_with_one_word_and_keeps_to_its_folder(sdist, tmp_path):
    copy = Copy(sdist, tmp_path)
    with running(copy):
        visitor = Visitor(copy.url)
        page = visitor.enter("researcher", copy.logins())
        script = re.findall(r'src="/(static/[^"]*htmx[^"]*[.]js)"', page)[0]
        assert "htmx" in visitor.get(script)
        for path in (*PAGES, "rate/demo/"):
            assert visitor.get(path).count("<h1") == 1, path
        annotator = Visitor(copy.url)
        annotator.enter("annotator", copy.logins())
        assert annotator.rate("demo")["state"] == "done"


@pytest.mark.browser
def test_of_a_wheel_it_starts_with_one_word_and_is_judged_with_in_a_browser(
    wheel, tmp_path, new_page
):
    copy = Copy(wheel, tmp_path)
    with running(copy):
        page = entered(new_page(), copy, "annotator", "rate/demo/")
        page.click("main form .button")
        page.wait_for_selector(".question.current")  # The script listens.
        screen = Screen(None, page)
        screen.settle()
        assert screen.complete(4)
        page = entered(new_page(), copy, "researcher")
        for path in PAGES:
            page.goto(f"{copy.url}/{path}")
            assert page.locator("h1").count() == 1, path


def entered(page, copy, name, path=""):
    page.goto(f"{copy.url}/accounts/login/?next=/{path}")
    page.fill("[name=username]", name)
    page.fill("[name=password]", copy.logins()[name])
    page.press("[name=password]", "Enter")
    page.wait_for_url(lambda there: "login" not in there)
    return page


class Visitor:
    """Somebody who logs in, without a browser."""

    def __init__(self, url):
        self.url = url
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def get(self, path, **form):
        data = urlencode(form).encode() if form else None
        with self.opener.open(f"{self.url}/{path}", data, timeout=60) as answer:
            return answer.read().decode()

    def enter(self, name, logins):
        self.get("accounts/login/")
        login = {"username": name, "password": logins[name], "csrfmiddlewaretoken": self.token()}
        return self.get("accounts/login/", **login)

    def token(self):
        (token,) = (one.value for one in self.cookies if one.name == "csrftoken")
        return token

    def ask(self, method, path, body):
        headers = {"Content-Type": "application/json", "X-CSRFToken": self.token()}
        request = urllib.request.Request(
            f"{self.url}/api/v1/{path}", json.dumps(body).encode(), headers, method=method
        )
        with self.opener.open(request, timeout=60) as answer:
            return json.load(answer)

    def rate(self, slug):
        """Judge a sheet, by the API."""
        sheet = self.ask("POST", f"campaigns/{slug}/claim", {})["sheet"]
        answers = [
            {"id": str(uuid4()), "substitution": one["key"], "scale": other["scale"]}
            | {"base_version": 0, "value": 4}
            for one in sheet["substitutions"]
            for other in one["answers"]
        ]
        body = {"annotator": sheet["annotator"], "answers": answers, "state": "done"}
        return self.ask("PUT", f"sheets/{sheet['key']}", body)
