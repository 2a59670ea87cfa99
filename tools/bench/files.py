"""Files: imports and exports as the services do them, in time and in memory."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from tests.live import Site
from tools.bench import jobs
from tools.bench.table import line, note

ITEMS, MANY = 10_000, 100_000
ANNOTATORS = 3
RIVALS = {
    "import": {
        "sqlite": "Potato 0.8 (in its start), Label Studio 1.6, doccano 2.7",
        "postgresql": "Potato 0.8 (in its start), Label Studio 2.4, doccano 3.9",
    },
    "export": {
        "sqlite": "Potato 0.8 (JSON files), doccano 8.6, Label Studio 17.3",
        "postgresql": "Potato 0.8 (JSON files), doccano 7.7, Label Studio 26.2",
    },
    "memory": {
        "sqlite": "Potato 127, Label Studio 610, doccano 1717",
        "postgresql": "Potato 127, Label Studio 582, doccano 1696",
    },
}


def measure(database: str, seconds: int) -> None:
    from tests.factories import item_rows, make_campaign

    site = Site(database=database)
    try:
        with site.database():
            for slug in ("small", "many"):
                make_campaign(slug, rows=item_rows(1, 1), open_it=False, cast=False)
        folder = site.data_dir
        rows = item_rows(ITEMS, 1)
        write_json_lines(folder / "small.jsonl", rows)
        write_json_lines(folder / "small-judgments.jsonl", judgment_rows(rows))
        _import(site, database, "small", "small.jsonl", f"{ITEMS} items, JSONL", 1.6)
        _job(
            site,
            f"    {ANNOTATORS * ITEMS} judgments",
            "judgments",
            "small",
            "small-judgments.jsonl",
        )
        rows = item_rows(MANY // 4, 4)
        write_table(folder / "many.csv", rows)
        write_table(folder / "many-judgments.csv", judgment_rows(rows))
        _import(site, database, "many", "many.csv", f"{len(rows)} rows, CSV", 20)
        _job(site, "    judgments of all of them", "judgments", "many", "many-judgments.csv")
        for slug in ("small", "many"):
            _export(site, database, slug)
            _job(site, "    opening: sheets and slots for all", "open", slug)
    finally:
        site.close()


def _import(site: Site, database: str, slug: str, name: str, what: str, goal: float) -> None:
    done = jobs.run(site, "items", slug, str(site.data_dir / name))
    rivals = RIVALS["import"][database] if slug == "small" else ""
    line(f"(d) import of {what}", done["seconds"], "s", goal=goal, rivals=rivals)
    note(_cost(done))


def _job(site: Site, what: str, name: str, slug: str, file: str = "") -> None:
    done = jobs.run(site, name, slug, str(site.data_dir / file))
    line(what, done["seconds"], "s")
    note(_cost(done))


def _export(site: Site, database: str, slug: str) -> None:
    done = jobs.run(site, "export", slug)
    goal, rivals = (0.8, RIVALS["export"][database]) if slug == "small" else (None, "")
    what = f"(d) export of {done['rows']:.0f} items and judgments"
    line(f"{what}, JSONL", done["seconds"], "s", goal=goal, rivals=rivals)
    line("    greatest memory", done["memory"], "MB", rivals=RIVALS["memory"][database])
    note(_cost(done))


def _cost(done: dict[str, float]) -> str:
    return f"{done['rows']:.0f} rows, CPU {done['cpu']:.2f} s, at most {done['memory']:.0f} MB"


def judgment_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Three annotators judge every substitution of the rows."""
    different = {(row["item"], row["paraphrase"]): row for row in rows}
    return [
        {
            "item": row["item"],
            "paraphrase": row["paraphrase"],
            "annotator": f"A{annotator}",
            "scale": "MEANING",
            "value": 1 + annotator,
        }
        for row in different.values()
        for annotator in range(ANNOTATORS)
    ]


def write_json_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def write_table(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
