"""The templates that come with the application: a file for each task and language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _

Choices = list[tuple[str, list[tuple[str, str]]]]  # Names and labels, in groups.
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
# Folders of this package; all but the first stand behind the name of the task: `phrase-ko`.
LANGUAGES = ("en", "ko", "ar", "de", "es", "fr", "hi", "ja", "pt-br", "ru", "vi", "zh-hans")
WITH_EXAMPLES = ("en", "ko")


def starter_name(task: str, language: str) -> str:
    """Return the name of a task's template in one of LANGUAGES."""
    return task if language == "en" else f"{task}-{language}"


NAMES = {starter_name(task, code): (task, code) for code in LANGUAGES for task in LABELS}


def starter_for(name: str, tag: str) -> str:
    """Return the template of the task in the language of a tag (BCP 47), where there is one; any
    other name as it is."""
    if name not in LABELS:
        return name
    primary, _dash, rest = tag.lower().partition("-")
    near = {"pt": "pt-br", "zh": "" if rest in ("hant", "tw", "hk", "mo") else "zh-hans"}
    code = near.get(primary, primary)
    return starter_name(name, code) if code in LANGUAGES else name


def starter_text(name: str) -> str:
    """Return the file of a template, which is one of NAMES."""
    task, language = NAMES[name]
    return (FOLDER / language / f"{task}.yaml").read_text(encoding="utf-8")


def example_text(name: str) -> str:
    """Return an example of the texts that the template asks about, as a file to import; in English
    where there is none in the language."""
    task, language = NAMES[name]
    folder = language if language in WITH_EXAMPLES else "en"
    return (FOLDER / folder / f"{task}.csv").read_text(encoding="utf-8")


def template_groups() -> Choices:
    """Return names and labels of the application's templates by language."""
    names = dict(settings.LANGUAGES)
    return [(names[code], _in_language(code)) for code in LANGUAGES]


def example_choices() -> Choices:
    """Return names and labels of the examples, by language; none for the empty template."""
    return [
        (code, [one for one in _in_language(code) if not one[0].startswith("empty")])
        for code in WITH_EXAMPLES
    ]


def _in_language(code: str) -> list[tuple[str, str]]:
    return [(starter_name(task, code), str(label)) for task, label in LABELS.items()]
