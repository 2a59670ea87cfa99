"""The tests; HOME is the folder of the repository."""

from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
