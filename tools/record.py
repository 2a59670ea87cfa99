"""What a stranger may rely on, as text: `python -m tools.record FOLDER [--site SITE]`.

It records addresses, commands, settings, the fields of the API, and every export of the demo, and
`python -m tools.record --compare OLD NEW` prints what was lost, added or changed. FOLDER/site is
the site, as it was before its exports. A later recording takes a copy of it (`--site OLD/site`),
which the new programs migrate first: then all data are the same, and exports may be compared byte
by byte. Moments of the recording itself stand as NOW.
"""

import argparse
import ast
import difflib
import hashlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests import HOME

PRODUCT = ("annotation", "scoring", "paraanno")
VARIABLE = re.compile(r"(PARAANNO_[A-Z0-9_]+|[A-Z]+_URL)")
METRICS = ("pinc", "self_bleu")
MOMENT = re.compile(r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+\d\d:\d\d)?")
CHANGED_LINES = 12  # shown of each file


def variables():
    """The environment variables that the product reads, with what their readers say of them."""
    lines = set()
    for path in (p for top in PRODUCT for p in (HOME / top).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            first = node.args[0] if isinstance(node, ast.Call) and node.args else None
            if isinstance(first, ast.Constant) and VARIABLE.fullmatch(str(first.value)):
                rest = [*node.args[1:], *node.keywords]
                reader = ast.unparse(node.func).rpartition(".")[2]
                lines.add(" ".join([first.value, reader, *map(ast.unparse, rest)]))
    return lines


def addresses(patterns=None, before=""):
    """Each pattern with its name and the methods that its view allows."""
    from django.urls import get_resolver

    for one in get_resolver().url_patterns if patterns is None else patterns:
        pattern = before + str(one.pattern)
        if hasattr(one, "url_patterns"):
            yield from addresses(one.url_patterns, pattern)
        else:
            yield f"{pattern} {one.name} {' '.join(methods(one.callback))}"


def methods(view):
    """Those that a class or a decorator names, or "any"."""
    cls = getattr(view, "cls", None) or getattr(view, "view_class", None)
    if cls is not None:
        return sorted(name.upper() for name in cls.http_method_names if hasattr(cls, name))
    allowed = None
    while view is not None and allowed is None:
        code, cells = getattr(view, "__code__", None), getattr(view, "__closure__", None) or ()
        free = dict(zip(code.co_freevars, cells, strict=True)) if code else {}
        allowed = free.get("request_method_list")
        view = getattr(view, "__wrapped__", None)
    return sorted(allowed.cell_contents) if allowed else ["any"]


def commands():
    """Each option of each command."""
    from django.core.management import get_commands, load_command_class

    for name, app in get_commands().items():
        if app.partition(".")[0] not in PRODUCT:
            continue
        parser = load_command_class(app, name).create_parser("manage.py", name)
        for action in parser._actions:
            words = {
                "options": " ".join(action.option_strings),
                "number": action.nargs,
                "choices": sorted(map(str, action.choices or ())),
                "default": action.default,
                "required": action.required or None,
            }
            parts = [
                f"{key}={value}" for key, value in words.items() if value not in (None, "", [])
            ]
            yield " ".join([name, action.dest, *parts])


def api():
    """Each operation, parameter and field of the OpenAPI schema."""
    from drf_spectacular.generators import SchemaGenerator

    schema = SchemaGenerator().get_schema(request=None, public=True)
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            yield f"{method.upper()} {path} answers {' '.join(sorted(operation['responses']))}"
            for one in operation.get("parameters", ()):
                yield f"{method.upper()} {path} takes {one['in']} {one['name']}"
    for name, component in schema["components"]["schemas"].items():
        required = set(component.get("required", ()))
        for field, shape in component.get("properties", {}).items():
            mark = " required" if field in required else ""
            yield f"{name}.{field}{mark} {json.dumps(limits(shape), sort_keys=True)}"


def limits(shape):
    """The shape of a field without what people read."""
    if isinstance(shape, dict):
        return {key: limits(one) for key, one in shape.items() if key != "description"}
    return [limits(one) for one in shape] if isinstance(shape, list) else shape


def site_make():
    """The demo with the scores of two metrics; or what is there, migrated."""
    from django.core.management import call_command

    from paraanno.apps import register_all
    from paraanno.running.prepare import migrate

    migrate()
    register_all()
    if not (Path(os.environ["PARAANNO_DATA_DIR"]) / "demo_logins.txt").exists():
        call_command("load_demo", stdout=io.StringIO())
        named = [word for name in METRICS for word in ("--metric", name)]
        call_command("run_metric", "demo", *named, "--wait", stdout=io.StringIO())


def exports():
    """The name of each export of the demo, with a function that gives its bytes."""
    from scoring.exports.services import FORMATS, WHAT

    for what in (one for one in WHAT if one not in ("ccb", "paper", "matrix")):
        for format in FORMATS:
            yield f"{what}.{format}", exported(what, "--format", format)
    for scale in ("MEANING", "GRAMMAR"):
        yield f"matrix-{scale}.csv", exported("matrix", "--scale", scale)
    for method in ("mean", "median", "dawid-skene"):
        yield f"gold-{method}.csv", exported("gold", "--method", method)
    yield "judgments-raw.csv", exported("judgments", "--raw")
    yield "blank.txt", exported("ccb")
    yield "sim-fair.txt", exported("ccb", "--annotator", "sim-fair")
    yield "paper.zip", exported("paper")
    yield "package.zip", to_file("package", "demo", "--licence", "cc-by-4.0")
    yield "archive.zip", to_file("archive", "demo")
    yield "results.json", printed("results", "demo", "--json")
    yield "results-gold.txt", printed("results", "demo", "--unit", "gold")
    yield "gold.json", printed("gold", "demo", "--json")
    yield "verify.txt", printed("verify", "demo")


def exported(what, *options):
    return to_file("export", "demo", "--what", what, *options)


def to_file(*words):
    def run(folder):
        from django.core.management import call_command

        call_command(*words, "-o", str(folder / "made"), stderr=io.StringIO())
        return (folder / "made").read_bytes()

    return run


def printed(*words):
    def run(folder):
        from django.core.management import call_command

        stream = io.StringIO()
        call_command(*words, stdout=stream)
        return stream.getvalue().encode()

    return run


def readable(name, content):
    """The texts in an export: itself, the files of a zip, or the rows of a Parquet file."""
    if name.endswith(".parquet"):
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(io.BytesIO(content))
        rows = [json.dumps(row, default=str, ensure_ascii=False) for row in table.to_pylist()]
        return {name: "\n".join([str(table.schema), *rows])}
    if content[:2] == b"PK":
        files = zipfile.ZipFile(io.BytesIO(content))
        inner = (readable(f"{name}/{one}", files.read(one)) for one in sorted(files.namelist()))
        return {place: text for part in inner for place, text in part.items()}
    if name.endswith("manifest.sha256"):
        return {}  # Of a file that names when it was made.
    if name.endswith("manifest.json"):  # Files with NOW in them have other hashes each time.
        content = re.sub(rb'"sha256": "[0-9a-f]+"', b'"sha256": ""', content)
    try:
        return {name: content.decode()}
    except UnicodeDecodeError:
        return {name: f"{len(content)} bytes {hashlib.sha256(content).hexdigest()}"}


def without_now(text, begun):
    """Moments from the beginning of the recording on stand as NOW."""

    def now(match):
        at = datetime.fromisoformat(match[0].replace("Z", "+00:00"))
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        return "NOW" if at >= begun else match[0]

    return MOMENT.sub(now, text)


def record(folder):
    begun = datetime.now(UTC) - timedelta(seconds=1)
    lists = {
        "addresses": addresses(),
        "commands": commands(),
        "settings": variables(),
        "api": api(),
    }
    for name, lines in lists.items():
        (folder / f"{name}.txt").write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
    for name, run in exports():
        for place, text in readable(name, run(folder)).items():
            file = folder / "exports" / place
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(without_now(text, begun), encoding="utf-8")
    (folder / "made").unlink()


def compare(old, new):
    """Print what differs; return how many files do."""
    files = {
        path.relative_to(folder): None
        for folder in (old, new)
        for path in [*folder.glob("*.txt"), *(folder / "exports").rglob("*")]
        if path.is_file()
    }
    differing = 0
    for name in sorted(files):
        texts = [
            (folder / name).read_text("utf-8").splitlines() if (folder / name).exists() else []
            for folder in (old, new)
        ]
        lines = difflib.unified_diff(*texts, "", "", lineterm="", n=0)
        changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
        if changed:
            differing += 1
            print(f"{name}: {len(changed)} lines")
            print(*(f"  {line[:300]}" for line in changed[:CHANGED_LINES]), sep="\n")
    print(f"{len(files)} files, {differing} of them differ.")
    return differing


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--compare", action="store_true", help="two recordings: OLD NEW")
    parser.add_argument("--site", type=Path, help="the site of an earlier recording")
    chosen = parser.parse_args()
    if chosen.compare:
        return 1 if compare(*chosen.folders) else 0
    [folder] = chosen.folders
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as site:
        if chosen.site:
            shutil.copytree(chosen.site, site, dirs_exist_ok=True, symlinks=True)
        os.environ["PARAANNO_DATA_DIR"] = site
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "paraanno.settings")
        import django

        django.setup()
        site_make()
        shutil.copytree(site, folder / "site", symlinks=True)
        record(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
