"""Pinned requirements name exact versions and nothing of the machine that compiled them, and no
release of others can enter or stop an installation."""

import hashlib
import importlib.metadata
import re
import shutil
import subprocess
import sysconfig
import tomllib
import zipfile
from itertools import combinations
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import HOME
from tools import install

PARTS = ("", "-extras", "-dev", "-neural")
LISTS = [f"requirements{part}.txt" for part in PARTS]
LATER = "99999"


def pinned(name):
    """The packages of a list; one that is not pinned fails."""
    text = (HOME / name).read_text("utf-8")
    lines = [
        line.removesuffix(" \\")
        for line in text.splitlines()
        if line and not re.match(r" *(#|--hash=sha256:\w{64})", line)
    ]
    assert [line for line in lines if not re.match(r"[a-z0-9.-]+==[^ ]+( ; .+)?$", line)] == []
    return [Requirement(line) for line in lines]


def versions(name):
    return {one.name: str(one.specifier).removeprefix("==") for one in pinned(name)}


def for_this_machine(requirements):
    return [one for one in requirements if one.marker is None or one.marker.evaluate({"extra": ""})]


@pytest.mark.parametrize("name", LISTS)
def test_pinned_and_free_of_addresses(name):
    assert pinned(name)
    text = (HOME / name).read_text("utf-8")
    assert not re.search(r"https?:|file:|--(?!hash=sha256:|override )|\s/\w", text)
    blocks = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    assert [block for block in blocks if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize(("first", "second"), [*combinations(PARTS, 2)])
def test_lists_agree(first, second):
    one, other = versions(f"requirements{first}.txt"), versions(f"requirements{second}.txt")
    both = one.keys() & other.keys()
    assert both
    assert {name: one[name] for name in both} == {name: other[name] for name in both}


def test_torch_is_pinned_apart_and_draws_nothing_else():
    assert versions("constraints-neural.txt").keys() == {"torch"}
    assert not re.search("torch|nvidia|cuda|triton", " ".join(versions("requirements-neural.txt")))


def wished(part):
    """The packages that are asked for, of which a list is compiled."""
    if part:
        return (HOME / f"requirements{part}.in").read_text("utf-8").splitlines()
    project = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]
    return project["dependencies"]


def test_the_list_of_extras_holds_them():
    """All but `neural`, which has a list of its own; tests need them all."""
    project = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    light = {name for extra, names in extras.items() if extra != "neural" for name in names}
    listed = {line for line in wished("-extras") if line[:1].isalpha()}
    assert light == listed <= set(wished("-dev"))
    assert not light & versions("requirements.txt").keys()


@pytest.mark.parametrize(
    ("wishes", "lists"),
    [
        ("", ["requirements.txt"]),
        ("-extras", ["requirements.txt", "requirements-extras.txt"]),
        ("-dev", ["requirements.txt", "requirements-dev.txt"]),
    ],
)
def test_lists_are_complete(wishes, lists):
    """Whatever a package of the list needs, with the extras that are asked for, is in the list."""
    have = {name: version for one in lists for name, version in versions(one).items()}
    ways = [("wish", Requirement(line)) for line in wished(wishes) if line[:1].isalpha()]
    # A list names what is left out too, with a marker that nothing meets.
    installed = {one.name for name in lists for one in for_this_machine(pinned(name))}
    seen = set()
    while ways:
        wanted_by, wish = ways.pop()
        name = canonicalize_name(wish.name)
        assert name in have, f"{wanted_by} needs {wish}"
        assert wish.specifier.contains(have[name], prereleases=True), f"{wanted_by} needs {wish}"
        for extra in {"", *wish.extras}:
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            if name not in installed:
                continue
            needs = map(Requirement, importlib.metadata.requires(name) or [])
            ways += [
                (name, need)
                for need in needs
                if need.marker is None or need.marker.evaluate({"extra": extra})
            ]


def test_what_make_run_installs_weighs_little():
    """With the encoder (83 MB) and the bytecode of a start (36 MB) it stays below 560 MB."""
    dropped = tuple(map(str, install.unread_in(Path(sysconfig.get_path("purelib")))))
    files = [
        Path(file.locate())
        for one in for_this_machine(pinned("requirements.txt"))
        for file in importlib.metadata.files(one.name)
        if file.suffix != ".pyc" and not str(file.locate()).startswith(dropped)
    ]
    assert sum(path.stat().st_size for path in files if path.is_file()) < 415_000_000


def test_what_nothing_reads_is_not_kept(tmp_path):
    locale = "django/conf/locale/ko/LC_MESSAGES/django"
    unread = ["gensim/test", "numpy/_core/tests", "pandas/tests", "scipy/stats/tests"]
    unread += ["gensim/models/word2vec_inner.c", f"{locale}.po"]
    for name in (
        *unread,
        "django/test",
        "numpy/testing",
        "tests",
        "gensim/models/word2vec_inner.so",
        f"{locale}.mo",
    ):
        (tmp_path / name).mkdir(parents=True)
    assert {str(one.relative_to(tmp_path)) for one in install.unread_in(tmp_path)} == {*unread}


@pytest.mark.slow
def test_what_is_installed_fits_together():
    done = subprocess.run([*install.PIP, "check"], capture_output=True, text=True, check=False)
    # Of packages with weights nothing is run, so that what they need is not there.
    weights = tuple(one.name for one in pinned("requirements-models.txt"))
    problems = [
        line for line in done.stdout.splitlines() if " requires " in line or " has " in line
    ]
    left_out = (HOME / "requirements-unused.txt").read_text("utf-8")
    unused = [Requirement(line).name for line in left_out.splitlines() if line[:1].isalpha()]
    expected = tuple(f"requires {name}, which is not installed." for name in unused)
    assert [
        line for line in problems if not line.startswith(weights) and not line.endswith(expected)
    ] == []
    assert done.returncode == 0 or problems


def test_every_list_is_installed_as_it_is():
    """By make and in the image; torch alone may draw what its build needs."""
    makefile = (HOME / "Makefile").read_text("utf-8")
    installs = re.findall(r"tools/install.py (.+)", makefile)
    assert len(installs) == 6
    assert "pip install" not in makefile
    assert [
        one for one in installs if "--" in one and not one.endswith("constraints-neural.txt")
    ] == []
    image = (HOME / "Dockerfile").read_text("utf-8")
    lists = "-r requirements.txt -r requirements-extras.txt"
    assert f"pip install {' '.join(install.PINNED)} {lists}" in image


@pytest.mark.slow
@pytest.mark.parametrize("program", ["uv", "pip"])
def test_later_releases_neither_enter_nor_stop_an_installation(program, tmp_path, monkeypatch):
    """An index with a stand-in for each package, which needs what the real one needs, and with a
    later release of each. pip's settings name it, also for uv."""
    packages = {one.name: one for name in LISTS for one in for_this_machine(pinned(name))}
    # For pip hundreds are long; of these one needs the other's extra [toml], which pins lack.
    if program == "pip":
        packages = {name: packages[name] for name in ("pytest-cov", "coverage")}
    index, wanted, target = tmp_path / "index", tmp_path / "wanted.txt", tmp_path / "target"
    index.mkdir()
    with wanted.open("w", encoding="utf-8") as file:
        for name, one in packages.items():
            wheel = stand_in(index, name, str(one.specifier).removeprefix("=="))
            stand_in(index, name, LATER)
            digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
            file.write(f"{name}{one.specifier} --hash=sha256:{digest}\n")
    settings = {"NO_INDEX": "1", "FIND_LINKS": index, "TARGET": target}
    for name, value in settings.items():
        monkeypatch.setenv(f"PIP_{name}", str(value))
    if program == "pip":  # As on a machine for which there is no uv, or whose uv cannot.
        monkeypatch.setattr(install, "find_uv", lambda *_: shutil.which("false"))
    assert install.main([str(wanted)]) == 0
    entered = importlib.metadata.distributions(path=[str(target)])
    assert {canonicalize_name(one.name): one.version for one in entered} == {
        name: str(one.specifier).removeprefix("==") for name, one in packages.items()
    }
    shutil.rmtree(target)
    wanted.write_text(str(packages["coverage"]), "utf-8")  # Without its hash.
    assert install.main([str(wanted)]) == 1


def stand_in(folder, name, version):
    """An empty wheel that needs what the installed package needs."""
    try:
        needs = importlib.metadata.requires(name) or []
        extras = importlib.metadata.metadata(name).get_all("Provides-Extra") or []
    except importlib.metadata.PackageNotFoundError:
        needs, extras = [], []
    metadata = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    metadata += [f"Provides-Extra: {extra}" for extra in extras]
    metadata += [f"Requires-Dist: {need}" for need in needs]
    start = f"{name.replace('-', '_')}-{version}"
    path = folder / f"{start}-py3-none-any.whl"
    files = {
        "METADATA": "\n".join(metadata) + "\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(path, "w") as wheel:
        for file, text in files.items():
            wheel.writestr(f"{start}.dist-info/{file}", text)
    return path
