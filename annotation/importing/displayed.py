"""Find the text of a campaign in what another tool showed: original and paraphrase, verbatim."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.importers import shown
from annotation.models import Campaign, Substitution
from paraanno.common.texts import Sentence, say

START = 12  # characters by which a sentence is looked up


@dataclass(frozen=True, slots=True)
class _Text:
    """A substitution: its original, and what is shown of it."""

    pk: int
    original: str
    paraphrase: str


def plain(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


class Displayed:
    """The texts of a campaign by the beginnings of their originals, loaded when they are needed."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._texts: dict[str, list[_Text]] | None = None

    def find(self, displayed: str) -> int | Sentence:
        """Return the substitution that was shown, or a sentence that says what is wrong."""
        where = plain(displayed)
        texts = self._loaded()
        starts = {where[at : at + START] for at in range(len(where))}
        near = [one for start in starts for one in texts.get(start, ())]
        matches = [one for one in near if _shows(where, one)]
        if not matches:
            return say(
                "no text of the campaign stands in %(shown)s: import its original and its "
                "paraphrase first, as they were shown",
                shown=shown(where),
            )
        best = max(matches, key=lambda one: (len(one.original), len(one.paraphrase)))
        others = [
            one
            for one in matches
            if one.original not in best.original or one.paraphrase not in best.paraphrase
        ]
        same = [
            one
            for one in matches
            if (one.original, one.paraphrase) == (best.original, best.paraphrase)
        ]
        if others or len(same) > 1:
            return say(
                "several texts of the campaign stand in %(shown)s: name the text by a column of "
                "its own",
                shown=shown(where),
            )
        return best.pk

    def _loaded(self) -> dict[str, list[_Text]]:
        if self._texts is None:
            self._texts = {}
            rows = Substitution.objects.filter(
                campaign=self._campaign, role=Substitution.Role.OUTPUT
            ).select_related("item")
            for one in rows.iterator(chunk_size=2000):
                text = _Text(one.pk, plain(one.item.sentence), plain(one.sentence()))
                self._texts.setdefault(text.original[:START], []).append(text)
        return self._texts


def _shows(where: str, one: _Text) -> bool:
    """Whether the original stands there, and the paraphrase beside it."""
    at = where.find(one.original)
    if at < 0:
        return False
    rest = f"{where[:at]}\n{where[at + len(one.original) :]}"
    return one.paraphrase in rest
