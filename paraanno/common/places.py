"""Where what is no code lies, and how a program of ours is started from any folder.

Templates, static files, translations, documentation and examples are folders beside the packages in
a checkout; a wheel has them in `paraanno/share` (`force-include` in pyproject.toml).
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from paraanno.common.texts import Sentence, SentenceError, say

CODE = Path(__file__).resolve().parents[2]
_PACKED = CODE / "paraanno" / "share"
INSTALLED = _PACKED.is_dir()
SHARE = _PACKED if INSTALLED else CODE


def data_dir() -> Path:
    """The folder in PARAANNO_DATA_DIR, else `var` of a checkout, else where the platform keeps an
    application's data."""
    named = os.environ.get("PARAANNO_DATA_DIR", "").strip()
    if named:
        return Path(named).expanduser()
    if not INSTALLED:
        return CODE / "var"
    import platformdirs

    return Path(platformdirs.user_data_dir("paraanno", appauthor=False))


def own_program(module: str, *arguments: str) -> list[str]:
    """The command line of a module with this Python: scripts break when their folder is moved."""
    return [sys.executable, "-m", module, *arguments]


def own_environment() -> dict[str, str]:
    """The environment of a program of ours, which finds a checkout's packages from any folder."""
    paths = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    if INSTALLED or str(CODE) in paths:
        return dict(os.environ)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(CODE), *paths])}


def extra_install(extra: str) -> str:
    """The line that installs an extra into this copy."""
    if not INSTALLED:
        return f"make install-{'neural' if extra == 'neural' else 'extras'}"
    home = Path(sys.prefix).parts
    if "pipx" in home:
        installer = "pipx runpip paraanno install"
    else:
        installer = "uv tool install" if home[-3:-1] == ("uv", "tools") else "pip install"
    return f'{installer} "paraanno[{extra}]"'


def missing_extra(extra: str, package: str) -> Sentence | None:
    """The line that installs the extra; None if its package is there."""
    if find_spec(package) is not None:
        return None
    return say(
        "The extra %(extra)s is not installed: run %(line)s and restart the application.",
        extra=extra,
        line=extra_install(extra),
    )


def need_extra(extra: str, package: str) -> None:
    """Raise SentenceError, with the line that installs the extra, if its package is missing."""
    if missing := missing_extra(extra, package):
        raise SentenceError(missing)
