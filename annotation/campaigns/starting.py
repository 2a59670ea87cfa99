"""A campaign that begins with its file: what is guessed from the texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import BinaryIO

from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.campaigns.services import campaign_create
from annotation.campaigns.templating.parts import template_named
from annotation.database import Actor
from annotation.errors import Invalid
from annotation.importers import ItemRow, ProblemLog, iter_items
from annotation.importers.tables import ColumnMap, MappedTable
from annotation.importing.beside import scales_fit
from annotation.models import Campaign

LOOKED_AT = 200  # rows
LONGEST_SLUG = 50
# Whose scales a table of judgments may name. Not those of one scale: every column of numbers suits.
OTHER_TASKS = ("adequacy-fluency", "simplification", "direct-assessment")
FEWEST = 3  # Words of a language that must be met before it is guessed.
# Frequent short words that the others of these languages hardly have.
FUNCTION_WORDS = {
    "en": "the and of is was with that for from they this are were his her",
    "de": "der die das und ist nicht mit ein eine den dem wurde sich auf",
    "fr": "le les des est une dans pour que qui sur avec pas il elle",
    "es": "el los las una por con para que del fue está como su",
    "pt-BR": "o os as um uma não com para que do da foi está em ao",
    "vi": "của và là không được một những trong cho với đã các",
}
SCRIPTS = (
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh-Hans", re.compile("[\u4e00-\u9fff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
)


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the file says about the campaign: a name, a template, and the language of its texts
    ("" if unsure)."""

    name: str
    template: str
    language: str


def guess_language(texts: Iterable[str]) -> str:
    """The tag of the language of most texts, "" if unsure: by the script, or by frequent words."""
    scores: Counter[str] = Counter()
    n = 0
    for text in texts:
        n += 1
        script = next((tag for tag, letters in SCRIPTS if len(letters.findall(text)) > 1), "")
        if script:
            scores[script] += FEWEST
            continue
        words = Counter(re.findall(r"[^\W\d_]+", text.lower()))
        for tag, function_words in FUNCTION_WORDS.items():
            scores[tag] += sum(words[word] for word in function_words.split())
    best = scores.most_common(2)
    if not n or not best or best[0][1] < FEWEST:
        return ""
    second = best[1][1] if len(best) > 1 else 0
    return best[0][0] if best[0][1] >= 2 * second else ""


def guess_campaign(*, stream: BinaryIO, name: str, mapping: ColumnMap | None) -> Beginning:
    """What the first rows say; a table whose columns are still unclear says little. Rewinds."""
    stem = PurePath(name).stem
    title = re.sub(r"[\s_]+", " ", stem).strip()[:200] or _("New campaign")
    rows = _first_rows(stream, name, mapping)
    languages = {row.language for row in rows if row.language}
    phrases = any(row.start > 0 or row.end < len(row.sentence) for row in rows)
    texts = list(dict.fromkeys(row.sentence for row in rows))
    language = languages.pop() if len(languages) == 1 else guess_language(texts)
    template = "phrase" if phrases else "sentence"
    if mapping is not None:
        tasks = {task: _ranges(task) for task in (template, *OTHER_TASKS)}
        template = scales_fit(stream=stream, name=name, choices=tasks) or template
    return Beginning(title[0].upper() + title[1:], template, language)


def _ranges(task: str) -> dict[str, tuple[float, float]]:
    scales = template_named(task).scales or ()
    return {scale.name: (float(scale.minimum), float(scale.maximum)) for scale in scales}


def _first_rows(stream: BinaryIO, name: str, mapping: ColumnMap | None) -> list[ItemRow]:
    log = ProblemLog(name)
    stream.seek(0)
    try:
        source = stream if mapping is None else MappedTable(stream, name, mapping.sure())
        return list(islice(iter_items(source, log=log), LOOKED_AT))
    finally:
        stream.seek(0)


def campaign_begin(*, guessed: Beginning, actor: Actor) -> Campaign:
    """Create a draft from what was guessed, under a short name that is free."""
    base = slugify(guessed.name)[:LONGEST_SLUG].strip("-_") or "campaign"
    for slug in _slugs(base):
        if not Campaign.objects.filter(slug=slug).exists():
            return campaign_create(
                actor=actor,
                slug=slug,
                name=guessed.name,
                template=guessed.template,
                language=guessed.language,
                run_metrics=True,
            )
    raise Invalid(_("There are many campaigns of this name: choose another short name."))


def _slugs(base: str) -> Sequence[str]:
    return [base, *(f"{base}-{number}" for number in range(2, 1000))]
