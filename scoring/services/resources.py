"""Files that metrics need, checked once and kept in the data folder by their content."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.services.audit import Actor, audit
from annotation.services.errors import Invalid
from annotation.services.transactions import short_write
from scoring.metrics.files import FileRefused, sha256
from scoring.metrics.vectors import read_vectors, write_store
from scoring.models import Resource

FOLDER = "resources"
KINDS = ("vectors",)


def resource_add(*, kind: str, path: Path, name: str = "", actor: Actor) -> Resource:
    """Read and check the file, keep what the metrics use of it, and make it known.

    The same content again is the resource that is there. Raises Invalid for an unknown kind or a
    file that cannot be read as one, with a line for each problem.
    """
    if kind not in KINDS:
        raise Invalid(
            _("There is no kind %(kind)s: use %(kinds)s.")
            % {"kind": f"{kind!r}", "kinds": ", ".join(KINDS)}
        )
    try:
        digest = sha256(path)
        known = Resource.objects.filter(kind=kind, sha256=digest).first()
        if known is not None:
            return known
        vectors = read_vectors(path)
    except FileRefused as refusal:
        raise Invalid("\n".join(refusal.lines)) from refusal
    root = Path(settings.DATA_DIR)
    (root / FOLDER).mkdir(parents=True, exist_ok=True)
    place = Path(FOLDER) / f"{kind}-{digest}"
    # Whole or not at all: a store that was cut off has another name.
    half = Path(tempfile.mkdtemp(prefix="half-", dir=root / FOLDER))
    try:
        write_store(vectors, half, source_sha256=digest)
        if not (root / place).exists():
            half.rename(root / place)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    with short_write():
        resource, made = Resource.objects.get_or_create(
            kind=kind,
            sha256=digest,
            defaults={
                "name": name or path.name,
                "size": path.stat().st_size,
                "path": str(place),
                "status": Resource.Status.READY,
                "meta": {"words": len(vectors.rows), "size": int(vectors.matrix.shape[1])},
            },
        )
        if made:
            audit(actor=actor, verb="add resource", about=resource, campaign=None, sha256=digest)
    return resource
