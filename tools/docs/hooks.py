"""What the web site has beside the files of docs/: its first page, references, and the gallery.

MkDocs calls the functions by their names.
"""

import os
import re
import shutil
import tempfile
from pathlib import Path

from mkdocs.structure.files import File

HOME = Path(__file__).resolve().parents[2]
# A text's pictures, with what they show.
GALLERY = {
    "rating.png": "The rating screen",
    "rating-phone.png": "The rating screen on a phone",
    "rating-ko.png": "The rating screen in Korean",
    "agreement.png": "Can these judgments be trusted? The page of agreement",
    "correlation.png": "Metrics against people",
}
HEAD = ["| field | type | needed | |", "|---|---|---|---|"]
FETCHED, WORKER = "https://unpkg.com/iframe-worker/shim", "assets/file_worker.js"
LAB = ["agreement", "results", "compare", "gold", "correlate", "score", "Statistics", "Client"]


def on_config(config):
    metrics = sorted(path.name for path in (HOME / "docs" / "metrics").glob("*.md"))
    config.nav = _filled(config.nav, [f"metrics/{name}" for name in metrics])
    return config


def _filled(nav, metrics):
    if isinstance(nav, list):
        return [_filled(one, metrics) for one in nav]
    if isinstance(nav, dict):
        return {title: _filled(one, metrics) for title, one in nav.items()}
    return metrics if nav == "METRICS" else nav


def on_files(files, config):
    pages = {
        "index.md": _start(),
        "gallery.md": _gallery(),
        "reference/lab.md": _lab(),
        "reference/api.md": _api(),
    }
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    return files


def _start():
    """The README, with links as they are from docs/."""
    return _links((HOME / "README.md").read_text(encoding="utf-8"))


def on_page_markdown(markdown, **_):
    # Our examples name their kind after the language, which the highlighter does not know.
    return _links(re.sub(r"^(```\w+) .+$", r"\1", markdown, flags=re.MULTILINE))


def _links(text):
    """Links into docs/ without that folder; to files that the site has not, as plain text."""
    text = re.sub(r"\]\(docs/", "](", text)
    return re.sub(r"\[([^]]*)\]\((?:\.\./)*(?:examples/|[A-Z]+\.md)[^)]*\)", r"\1", text)


def on_post_page(output, page, **_):
    """The theme would fetch this program from another site."""
    return output.replace(FETCHED, "../" * page.file.dest_uri.count("/") + WORKER)


def on_post_template(output_content, **_):
    return output_content.replace(FETCHED, WORKER)


def on_post_build(config):
    shutil.copy(Path(__file__).with_name("file_worker.js"), Path(config.site_dir, WORKER))


def _gallery():
    shown = [f"## {title}\n\n![{title}](images/{name})" for name, title in GALLERY.items()]
    return "\n\n".join(["# Screens", "Made by the tests, of the demo.", *shown])


def _lab():
    parts = ["# Reference of paraanno.lab", "With examples: [paraanno in a notebook](../lab.md)."]
    return "\n\n".join([*parts, *(f"::: paraanno.lab.{name}" for name in LAB)])


def _api():
    """Every route of the API, from the description that the site gives at /api/schema/."""
    schema = _schema()
    lines = [
        "# Reference of the REST API",
        "Every route, made from the description at `/api/schema/`; "
        "[the page on the API](../api.md) says how to use them.",
    ]
    for path, methods in sorted(schema["paths"].items()):
        lines.append(f"## `{path}`")
        for method, one in methods.items():
            told = (one.get("summary") or one.get("description") or "").strip().split("\n\n")[0]
            lines.append(f"**{method.upper()}**  {_escaped(told)}")
            fields = _fields(schema, one)
            if fields:
                lines.append(
                    "\n".join(["| field | type | needed | |", "|---|---|---|---|", *fields])
                )
    return "\n\n".join(lines)


def _fields(schema, operation):
    content = operation.get("requestBody", {}).get("content", {})
    body = next(iter(content.values()), {}).get("schema", {})
    name = body.get("$ref", "").rpartition("/")[2]
    body = schema["components"]["schemas"].get(name, body)
    rows = [
        (one["name"], one["schema"], one.get("required", False), one.get("description", ""))
        for one in operation.get("parameters", [])
        if one["in"] == "query"
    ]
    needed = body.get("required", [])
    rows += [
        (name, one, name in needed, one.get("description", ""))
        for name, one in body.get("properties", {}).items()
    ]
    return [
        f"| `{name}` | {_type(of)} | {'yes' if must else ''} | {_escaped(told)} |"
        for name, of, must, told in rows
    ]


def _type(of):
    if "$ref" in of:
        return of["$ref"].rpartition("/")[2]
    if "allOf" in of:
        return _type(of["allOf"][0])
    if "enum" in of:
        return ", ".join(f"`{one}`" for one in of["enum"])
    return of.get("format") or of.get("type", "any")


def _escaped(text):
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())


def _schema():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PARAANNO_DATA_DIR"] = folder
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "paraanno.settings")
        import django

        django.setup()
        from drf_spectacular.generators import SchemaGenerator

        return SchemaGenerator().get_schema(public=True)
