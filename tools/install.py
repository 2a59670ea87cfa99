"""Installs lists of packages, for make: `python tools/install.py requirements.txt ...`.

By uv, which takes a tenth of pip's time: the one in PATH, or the pinned one, which pip brings.
Where uv cannot install (it knows no passwords of pip's, and not every machine has a build of it),
pip does, from the same lists. It runs first of all: with the standard library alone.
"""

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path

# The lists hold every package: what others release meanwhile can neither enter nor stop it.
PINNED = ["--no-deps", "--require-hashes"]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
HOLDS_UV = Path(__file__).parents[1] / "requirements-dev.txt"
# What pip was told about where packages come from and go to, in words of uv's.
SETTINGS = {
    "index-url": "--default-index",
    "extra-index-url": "--index",
    "find-links": "--find-links",
    "trusted-host": "--allow-insecure-host",
    "no-index": "--no-index",
    "target": "--target",
}
# What packages bring and nothing reads: tests with their data, and sources of what is compiled.
UNREAD = (
    *("gensim/test", "matplotlib/tests", "nltk/test", "numpy/**/tests", "pandas/tests"),
    *("scipy/**/tests", "gensim/**/*.c", "gensim/**/*.cpp", "fontTools/**/*.c", "django/**/*.po"),
)
# Of all that they print, what tells how far they are.
PROGRESS = re.compile(
    r" *(Resolved|Downloading|Building|Prepared|Installed|Using cached|Installing) "
)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("lists", nargs="+")
    parser.add_argument("--unpinned", action="store_true", help="what a list lacks may come too")
    parser.add_argument("--only-from", metavar="URL", help="the lists alone, from this index")
    chosen = parser.parse_args(arguments)
    wanted = [word for one in chosen.lists for word in ("--requirement", one)]
    if chosen.only_from:
        wanted += ["--no-deps", "--index-url", chosen.only_from]
    elif not chosen.unpinned:
        wanted += PINNED
    with tempfile.TemporaryDirectory() as folder:
        uv = find_uv(chosen.lists, Path(folder))
        done = uv is not None and with_uv(uv, wanted)
    if uv is not None and not done:
        print("uv could not install (see above). Now with pip, which takes longer.", flush=True)
    if not (done or with_pip(wanted)):
        return 1
    for path in unread_in(Path(sysconfig.get_path("purelib"))):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    return 0


def unread_in(packages):
    """Folders and files that nothing reads."""
    return [path for pattern in UNREAD for path in packages.glob(pattern)]


def find_uv(lists, folder):
    """The program; where it is not there, the pinned one in a folder for now, unless a list of one
    package is as quick with pip. None where it cannot be had."""
    uv = shutil.which("uv", path=Path(sys.executable).parent) or shutil.which("uv")
    if uv is None and sum(Path(one).read_text("utf-8").count("==") for one in lists) > 1:
        text = HOLDS_UV.read_text("utf-8")
        pin = folder / "uv.txt"
        pin.write_text("".join(re.findall(r"^uv==(?:.*\\\n)+.*\n", text, re.MULTILINE)), "utf-8")
        wanted = ["--target", str(folder), *PINNED, "--requirement", str(pin)]
        run([*PIP, "install", *wanted], show=False)
        uv = shutil.which("uv", path=folder / "bin")
    return uv


def with_uv(uv, wanted):
    """Whether it did. Bytecode is written where a module is first imported: of most, never; but
    here where that is forbidden, or each start would compile everything."""
    told = pip_settings()
    # All indexes are asked for a version, as pip does: what comes is said by the hashes.
    command = [
        uv,
        "pip",
        "install",
        "--python",
        sys.executable,
        "--index-strategy=unsafe-best-match",
    ]
    for name, option in SETTINGS.items():
        if name == "index-url" and "--index-url" in wanted:
            continue
        if name == "no-index":
            command += [option] if told.get(name, "").lower() in {"1", "true", "yes", "on"} else []
        else:
            command += [word for value in told.get(name, "").split() for word in (option, value)]
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        command.append("--compile-bytecode")
    certificate = {"SSL_CERT_FILE": told["cert"]} if "cert" in told else {}
    return run([*command, *wanted], {**certificate, **os.environ})


def pip_settings():
    """Those for `pip install`; the later win. Without pip here, those of this Python's own."""
    pip = PIP if find_spec("pip") else [sys._base_executable, *PIP[1:]]
    done = subprocess.run([*pip, "config", "list"], capture_output=True, text=True, check=False)
    lines = [line.partition("=") for line in done.stdout.splitlines()]
    told = {}
    for section in ("global", "install", ":env:"):
        for name, _, value in lines:
            if name.startswith(f"{section}."):
                told[name.removeprefix(f"{section}.")] = ast.literal_eval(value)
    return told


def with_pip(wanted):
    if not find_spec("pip"):
        run([sys.executable, "-m", "ensurepip"], show=False)
    return run(
        [*PIP, "--no-input", "install", "--progress-bar=off", "--root-user-action=ignore", *wanted]
    )


def run(command, environment=None, show=True):
    """Whether the program succeeds. What tells how far it is is shown, and all if it fails."""
    said = []
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        for line in process.stdout:
            said.append(line)
            if show and PROGRESS.match(line):
                print(f"  {line.strip()}", flush=True)
    if process.returncode and show:
        print("".join(said), end="", file=sys.stderr, flush=True)
    return process.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
