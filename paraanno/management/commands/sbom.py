"""manage.py sbom [FILE]"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from paraanno import __version__
from paraanno.management.commands.licences import NOT_HERE, licence_named, pinned_lists

# A pinned package, and the hashes that follow it.
PACKAGE = re.compile(
    r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)[^\n]*\n((?: +--hash=sha256:\w+[^\n]*\n)*)", re.M
)
HASH = re.compile(r"--hash=sha256:(\w{64})")


class Command(BaseCommand):
    help = (
        "List the packages that a site needs, for programs that watch vulnerabilities (CycloneDX)."
    )
    requires_system_checks: list[str] = []  # Needs no database and no site.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="default: to the screen")

    def handle(self, *args: Any, **options: Any) -> None:
        text = json.dumps(bill_of("".join(pinned_lists())), indent=2, ensure_ascii=False) + "\n"
        if options["file"] is None:
            sys.stdout.write(text)
        else:
            options["file"].write_text(text, encoding="utf-8")


def bill_of(pins: str) -> dict[str, Any]:
    """Return the bill of materials (CycloneDX 1.6, ECMA-424) of a file of pinned requirements.

    It has no time and no random number: the same file gives the same bill.
    """
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "paraanno",
                "name": "paraanno",
                "version": __version__,
                "licenses": [{"license": {"id": "GPL-3.0-or-later"}}],
            }
        },
        "components": [_component(*package) for package in sorted(set(PACKAGE.findall(pins)))],
    }


def _component(name: str, version: str, hashes: str) -> dict[str, Any]:
    """One package. CycloneDX has one hash of a component's own file; a package has one for every
    platform, which are files that it can be had as."""
    address = f"pkg:pypi/{name}@{version}"
    files = [
        {
            "type": "distribution",
            "url": f"https://pypi.org/project/{name}/{version}/#files",
            "hashes": [{"alg": "SHA-256", "content": one}],
        }
        for one in HASH.findall(hashes)
    ]
    licence = licence_named(name)
    licences = {} if licence == NOT_HERE else {"licenses": [{"license": {"name": licence}}]}
    return {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "purl": address,
        **licences,
        **({"externalReferences": files} if files else {}),
    }
