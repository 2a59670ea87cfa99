"""`python -m tools.bench [PART ...] [--seconds N] [--database NAME]`.

Everything is measured on this machine, in one run, on each database: the embedded SQLite with one
web process of eight threads, and PostgreSQL with two. The figures of rivals were measured on two
cores in November 2026 (20 clients, embedded defaults or PostgreSQL); they are here to compare
orders of magnitude on a machine of that size, not to be exact on another.
"""

from __future__ import annotations

import argparse
import os

from tests import isolation

isolation.begin()
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in paraanno/celery.py

from tests import needs  # noqa: E402
from tools.bench import (  # noqa: E402
    board,
    building,
    collect,
    correlate,
    crowd,
    curve,
    extrinsic,
    files,
    neural,
    overload,
    own,
    pages,
    paraphrases,
    rivals,
    scale,
    score,
    screen,
    start,
    stats,
    table,
    tasks,
)

PARTS = {
    "collect": collect.measure,
    "crowd": crowd.measure,
    "curve": curve.measure,
    "overload": overload.measure,
    "screen": screen.measure,
    "files": files.measure,
    "pages": pages.measure,
    "scale": scale.measure,
    "board": board.measure,
    "tasks": tasks.measure,
    "start": start.measure,
    "stats": stats.measure,
    "correlate": correlate.measure,
    "score": score.measure,
    "own": own.measure,
    "building": building.measure,
    "paraphrases": paraphrases.measure,
    "extrinsic": extrinsic.measure,
    "neural": neural.measure,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", help=f"of {', '.join(PARTS)}, rivals; all if none is given"
    )
    parser.add_argument("--seconds", type=int, default=60, help="how long calm clients save")
    parser.add_argument(
        "--originals", type=int, default=score.ORIGINALS, help="of the campaign that is scored"
    )
    parser.add_argument(
        "--judgments", type=int, nargs="+", default=scale.SIZES, help="of the growing campaigns"
    )
    parser.add_argument("--database", choices=["sqlite", "postgresql"])
    options = parser.parse_args()
    score.ORIGINALS = options.originals
    scale.SIZES = options.judgments
    if unknown := set(options.parts) - {*PARTS, "rivals"}:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    print(f"{os.cpu_count()} cores, shared by server, database and clients")
    for database in [options.database] if options.database else ["sqlite", "postgresql"]:
        reason = needs.missing("postgres") if database == "postgresql" else None
        if reason is not None:
            print(f"\n== {database}: not run, {reason}")
            continue
        for name in options.parts or PARTS:
            if name in PARTS:
                table.head(f"{database}, {name}")
                PARTS[name](database, options.seconds)
    if not options.parts or "rivals" in options.parts:
        table.head("rivals")
        rivals.measure(options.seconds)


if __name__ == "__main__":
    main()
