"""Small archives, and ways to spoil them."""

import hashlib
import io
import json
import zipfile

from scoring.archives.file_format import ArchiveWriter


def small(rows=3):
    stream = io.BytesIO()
    writer = ArchiveWriter(stream)
    writer.add("phrase", ("text", "value"), ([f"größer {n}", n / 2] for n in range(rows)))
    writer.add("empty", ("text",), [])
    writer.close({"campaign": {"slug": "c", "name": "C"}})
    return stream.getvalue()


def files_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as found:
        return {name: found.read(name) for name in found.namelist()}


def zipped(files, **manifest):
    """The files as a zip; `manifest` replaces parts of it, and its digest is put right."""
    if manifest:
        text = json.dumps({**json.loads(files["manifest.json"]), **manifest}).encode()
        digest = hashlib.sha256(text).hexdigest().encode()
        files = {**files, "manifest.json": text, "manifest.sha256": digest}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(name, content)
    stream.seek(0)
    return stream
