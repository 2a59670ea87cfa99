"""Metrics that are made for certain languages: which one they read, and whether texts are in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from paraanno.common.cells import known_tag, primary
from paraanno.common.texts import NOTHING, Sentence, say
from scoring.metrics.values import Option

TEXTS = "texts"  # The value of `lang` that takes the language from the texts.
# Languages that ISO 639-3 counts as Chinese (zho).
_CHINESE = "cdo cjy cmn cpx czh czo gan hak hsn lzh mnp nan wuu yue".split()  # noqa: SIM905


class Reader(Protocol):
    """What is asked of a metric here."""

    @property
    def name(self) -> str: ...

    @property
    def undecided(self) -> bool: ...

    def choices(self) -> tuple[str, ...]: ...

    def reads(self) -> tuple[str, ...]: ...


def lang_option(*values: str, summary: Sentence) -> Option:
    """The option `lang` of a metric that reads these languages."""
    return Option("lang", TEXTS, summary, (TEXTS, *values))


def same_language(own: str, tag: str) -> bool:
    """Whether a text with this tag is in a metric's language: `pt-BR` is in `pt`, `yue` in `zh`."""
    language = primary(tag)
    return language == own or (own == "zh" and language in _CHINESE)


def decided(
    option: Option | None, options: Mapping[str, str], languages: Iterable[str]
) -> dict[str, str]:
    """The options with `lang` set, if it follows the texts and they have one language that the
    metric reads; else unchanged."""
    given = dict(options)
    if option is None or given.get(option.name, option.default) != TEXTS:
        return given
    read = {own for tag in languages for own in option.values if same_language(own, tag)}
    return given | {option.name: read.pop()} if len(read) == 1 else given


def refusal(metric: Reader, language: str) -> str:
    """Why the metric gives no score to a text in this language; empty if it gives one."""
    if metric.undecided:
        return say(
            "%(metric)s needs the language of the texts: lang= says which it reads.",
            metric=metric.name,
        )
    for own in metric.reads():
        if known_tag(language) and not same_language(own, language):
            return say(
                "The text is in %(language)s, and %(metric)s reads %(own)s here.",
                language=language,
                metric=metric.name,
                own=own,
            )
    return ""


def language_problem(metric: Reader, languages: Sequence[str]) -> Sentence:
    """Why the metric cannot score any text in these languages (empty: unknown), with the remedy;
    empty if it can score some."""
    tags = [tag for tag in languages if known_tag(tag)]
    if metric.undecided:
        reads = ", ".join(f"lang={one}" for one in metric.choices())
        if not tags:
            return say(
                "%(metric)s needs the language of the texts, which is unknown: write %(reads)s, or "
                "name their language (on the campaign's page, or in a column language).",
                metric=metric.name,
                reads=reads,
            )
        return say(
            "%(metric)s must be told which language it reads, as the texts are in %(languages)s: "
            "write %(reads)s.",
            metric=metric.name,
            languages=", ".join(tags),
            reads=reads,
        )
    if len(tags) < len(languages):
        return NOTHING  # Texts of unknown language are taken to be in the one that is named.
    for own in metric.reads():
        if tags and not any(same_language(own, tag) for tag in tags):
            return say(
                "%(metric)s reads texts in %(own)s here, and the texts are in %(languages)s.",
                metric=metric.name,
                own=own,
                languages=", ".join(tags),
            )
    return NOTHING
