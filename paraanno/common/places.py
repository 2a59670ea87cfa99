"""Where what is no code lies, and how a program of ours is started from any folder.

Templates, static files, translations, documentation and examples are folders beside the packages in
a checkout; a wheel has them in `paraanno/share` (`force-include` in pyproject.toml).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

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
    known = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    if INSTALLED or str(CODE) in known:
        return dict(os.environ)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(CODE), *known])}
