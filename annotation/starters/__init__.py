"""The templates that come with the application: a file for each task and language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

FOLDER = Path(__file__).parent
LABELS: dict[str, Any] = {
    "phrase": _("Phrase in a sentence (Callison-Burch 2008): MEANING and GRAMMAR, 1 to 5"),
    "sentence": _("Whole sentence: MEANING and GRAMMAR, 1 to 5"),
    "adequacy-fluency": _("Whole sentence (White 2012): ADEQUACY and FLUENCY, 1 to 5"),
    "validity": _("Validity of pairs (ParaEval): yes or no"),
    "similarity": _("Similarity of meaning (STS): 0 to 5"),
    "simplification": _("Simplification: FLUENCY, MEANING, SIMPLICITY, 0 to 100"),
    "direct-assessment": _("Direct assessment: ADEQUACY and FLUENCY, 0 to 100"),
    "empty": _("Empty: your own questions"),
}
KOREAN = "-ko"
# Each task in English, and in Korean with `-ko` behind its name.
NAMES = (*LABELS, *(f"{name}{KOREAN}" for name in LABELS))


def starter_text(name: str) -> str:
    """Return the file of a template, which is one of NAMES."""
    return _path(name, "yaml").read_text(encoding="utf-8")


def example_text(name: str) -> str:
    """Return an example of the texts that the template asks about, as a file to import."""
    return _path(name, "csv").read_text(encoding="utf-8")


def _path(name: str, ending: str) -> Path:
    language = "ko" if name.endswith(KOREAN) else "en"
    return FOLDER / language / f"{name.removesuffix(KOREAN)}.{ending}"
