"""`python -m tools.soak [--minutes 60] [--annotators 50] [--pace 4] [--every 60]
[--database sqlite]`.

Annotators judge on two hosts (network namespaces of this machine; traffic never leaves it) beside
imports, exports, metric runs and reports, while every part is killed, frozen or cut off in turn.
Some have two devices, some no scripts; sheets are sent to both hosts at once, and again later.
In the end: is all that was acknowledged stored, once and as acknowledged (plain SQL reads it), did
the workers finish what they were asked for, does `verify` find anything, did memory grow, how long
did anybody wait. Ends with 1 if not well.
"""

from __future__ import annotations

import argparse
import sys

from tests import isolation

isolation.begin()

from tools.soak.run import Plan, run  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--annotators", type=int, default=50)
    parser.add_argument("--pace", type=float, default=4, help="seconds an item takes on average")
    parser.add_argument("--every", type=float, default=60, help="seconds from fault to fault")
    parser.add_argument("--fault", type=float, default=15, help="seconds that a fault lasts")
    parser.add_argument("--database", choices=("postgresql", "sqlite"), default="postgresql")
    options = parser.parse_args()
    result = run(
        Plan(
            seconds=60 * options.minutes,
            annotators=options.annotators,
            pace=options.pace,
            every=options.every,
            fault=options.fault,
            database=options.database,
        )
    )
    print("\n".join(result.lines()))
    return 0 if result.well else 1


if __name__ == "__main__":
    sys.exit(main())
