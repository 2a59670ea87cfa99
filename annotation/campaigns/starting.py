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

from annotation.campaigns.scales import MAX_LABEL, guideline_for
from annotation.campaigns.services import campaign_create
from annotation.campaigns.templating.parts import template_named
from annotation.database import Actor
from annotation.errors import Invalid
from annotation.importers.items import ItemRow, iter_items
from annotation.importers.tables import ColumnMap, MappedTable
from annotation.importers.tables.guessing.own_scales import OwnScale
from annotation.importers.tables.names import scale_named
from annotation.importing.tables import scales_of_judgments
from annotation.models import Campaign
from annotation.starters import starter_for
from paraanno.common.panel_links import ScaleTemplate
from paraanno.common.texts import ProblemLog

LOOKED_AT = 200  # rows
LONGEST_SLUG = 50
# Whose scales a table of judgments may name. Not those of one scale: every column of numbers suits.
OTHER_TASKS = ("adequacy-fluency", "simplification", "direct-assessment")
TASKS = ("sentence", *OTHER_TASKS, "similarity")  # whose questions the scales of a file may have
MOST_LABELLED = 10  # steps of a scale whose points are chosen one by one
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
    """What the file says about the campaign: a name, a template, the language of its texts
    ("" if unsure), and the scales that its judgments name, where these are no template's."""

    name: str
    template: str
    language: str
    scales: tuple[ScaleTemplate, ...] = ()


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
    own: tuple[OwnScale, ...] = ()
    if mapping is not None:
        tasks = {task: _ranges(task) for task in (template, *OTHER_TASKS)}
        task, own = scales_of_judgments(stream=stream, name=name, choices=tasks)
        template = task or template
    scales = tuple(_scale(one, language) for one in own)
    return Beginning(title[0].upper() + title[1:], template, language, scales)


def _scale(own: OwnScale, language: str) -> ScaleTemplate:
    """A scale of the file, with the question of the nearest scale of a template, and the labels of
    its points where they have the same points."""
    ends = (own.low, own.high)
    near = [
        one
        for task in TASKS
        for one in template_named(starter_for(task, language)).scales or ()
        if scale_named(own.name, [one.name])
    ]
    near.sort(key=lambda one: (one.minimum, one.maximum) != ends)
    one = near[0] if near else ScaleTemplate(own.name, "")
    many = (own.high - own.low) / own.step > MOST_LABELLED
    return ScaleTemplate(
        name=own.name,
        question=one.question,
        points=_points(own) or (one.points if (one.minimum, one.maximum) == ends else ()),
        level="numeric" if many else "ordinal",
        minimum=own.low,
        maximum=own.high,
        step=own.step,
        copy_at_top=one.copy_at_top,
    )


def _points(own: OwnScale) -> tuple[tuple[float, str, str], ...]:
    """The points as the file calls them, where that is not too long."""
    short = all(len(label) <= MAX_LABEL for _, label in own.labels)
    return tuple((point, label, "") for point, label in own.labels) if short else ()


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
                scales=list(guessed.scales) or None,
                guideline=guideline_for(guessed.scales) if guessed.scales else "",
                language=guessed.language,
                run_metrics=True,
            )
    raise Invalid(_("There are many campaigns of this name: choose another short name."))


def _slugs(base: str) -> Sequence[str]:
    return [base, *(f"{base}-{number}" for number in range(2, 1000))]
