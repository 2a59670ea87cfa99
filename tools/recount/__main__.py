"""Prints what differs; exits with 1 if anything does."""

import sys
from pathlib import Path

from tools.recount.report import recount

found = recount(Path(sys.argv[1]))
print("\n".join(found.wrong))
print(f"{found.compared} numbers compared, {len(found.wrong)} differ.")
sys.exit(bool(found.wrong))
