"""Which columns hold gold: the value of a text on a scale, its deviation and its number."""

from __future__ import annotations

from annotation.importers.tables.lexicon import concepts
from annotation.importers.tables.names import roles_named, says, scale_named
from annotation.importers.tables.state import Columns
from annotation.importers.tables.text_guesses import TextGuesses
from paraanno.plain.sentence import say


def guess_gold(columns: Columns, texts: TextGuesses) -> None:
    """Guess the columns of gold, and which text it is about."""
    if texts.paraphrase is None and texts.sentence is not None and texts.phrase is None:
        columns.set(texts.sentence, "paraphrase", say("the only text: what was judged"))
        texts.sentence = None
    found = [
        at for at in sorted(columns.free)
        if columns.profiles[at].is_number and not _is_id(columns, at)
    ]  # fmt: skip
    scales = columns.scales
    for at in found:
        name = columns.names[at]
        scale = scale_named(name, scales) or (
            scale_named(columns.groups[at], scales) if columns.groups[at] else None
        )
        if scale is None and (len(scales) == 1 or len(found) <= 3):
            known = [scale_named(columns.names[other], scales) for other in found]
            scale = next((one for one in known if one), None)
            scale = scale or (scales[0] if len(scales) == 1 else None)
        role = "sd_of" if says(name, "sd") or "sd" in concepts(name) else "value_of"
        if role == "value_of" and (roles_named(name)[:1] == ("n",) or "count" in concepts(name)):
            role = "n_of"
        taken = {(one.role, one.of) for one in columns.guesses}
        one = columns.profiles[at]
        if scale is None or (role, scale) in taken:
            columns.aside(at, say("numbers, but of which scale?"), ask=True)
        else:
            columns.set(
                at, role, say("numbers from %(least)s to %(most)s", least=f"{one.lowest or 0:g}",
                              most=f"{one.highest or 0:g}"), scale,
            )  # fmt: skip


def _is_id(columns: Columns, at: int) -> bool:
    first = roles_named(columns.names[at])[:1]
    if first == ("item",):
        return True
    one = columns.profiles[at]
    return not first and one.n > 10 and one.distinct == one.n and "." not in "".join(one.texts)
