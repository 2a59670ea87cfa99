"""What texts beside a table say about its numbers: "1 = best", "lower is better"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from annotation.importers.tables.guessing.point_words import degree, says_nothing

MOST_POINTS = 12  # of a scale whose points are explained
_NUMBER = r"(?<![A-Za-z0-9.,])([0-9]{1,3})(?![.,]?[A-Za-z0-9])"
_RANGE = re.compile(r"(?<![0-9])([0-9]{1,3})\s*(?:[-–—~]|to|bis|à)\s*([0-9]{1,3})(?![0-9])")
_LISTED = re.compile(r"(?<![0-9])[0-9]{1,2}(?:\s*[/,|]\s*[0-9]{1,2}){2,}(?![0-9])")  # 1/2/3
_SIGN = (
    r"\s*(?:점|分|pts?\.?|points?|punkte?)?\s*(?:[=:＝：]|→|->|\bis\b|\bmeans\b|\bbeing\b|\bist\b|"
    r"\bheißt\b|\bbedeutet\b|\best\b|\bsignifie\b|\bes\b|\bsignifica\b|은|는)\s*"
)
_WORDS = r"([^\W\d_][^0-9,;，；、|/()\[\]（）\n–=:：]*)"
_LINK = r"\s*(?:\b(?:pour|for|für|para|as|als|comme|como)\b|表示|代表|为|是|[(（\[])?\s*"
_BEHIND = re.compile(rf"{_NUMBER}(?:{_SIGN}|{_LINK}){_WORDS}", re.IGNORECASE)
_BEFORE = re.compile(rf"{_WORDS}\s*(?:[=:＝：]|[(（\[])\s*{_NUMBER}", re.IGNORECASE)
# "lower is better", "je niedriger, desto besser".
_LOWER = re.compile(
    r"\b(lower|smaller|fewer|less)\b.{0,25}\bbetter\b|\bbetter\b.{0,15}\b(lower|smaller)\b|"
    r"\b(niedriger\w*|kleiner\w*|geringer\w*|weniger)\b.{0,25}\bbesser\b|"
    r"\b(plus (bas|petit|faible)\w*|moins)\b.{0,30}\b(mieux|meilleur\w*)\b|"
    r"\b(menor|menos|m[aá]s baj[oa]s?)\b.{0,30}\bmejor\w*\b|(낮|작|적)을수록.{0,12}좋|"
    r"(越低|越小|越少).{0,6}越?好|\b(reverse[ds]?|inverted?)[- ]?(cod|scor|scale|key)\w*|"
    r"\bumgepolt\w*|\binvers\w* kodiert|역채점|역코딩|反向计分|反向题",
    re.IGNORECASE,
)
_DIGIT = re.compile(_NUMBER)
_ZEROS = re.compile(r"(?<=[0-9])[.,]0{1,2}(?![0-9])")  # 100.00
MOST = 100  # the highest number that a legend explains


def points_in(text: str) -> dict[int, int]:
    """Return the degrees that a text gives to numbers."""
    text = _ZEROS.sub("", text)
    points: dict[int, int] = {}
    for number, words in _BEHIND.findall(text):
        if says_nothing(words):
            continue
        points.setdefault(int(number), degree(words))
    if not points:
        for words, number in _BEFORE.findall(text):
            if not says_nothing(words):
                points.setdefault(int(number), degree(words))
    return {number: good for number, good in points.items() if number <= MOST}


def extremes(text: str) -> tuple[int, int] | None:
    """Return the lowest and the highest number that a text explains, if it explains several."""
    points = points_in(_RANGE.sub(" ", text))
    return (min(points), max(points)) if len(points) > 1 else None


def ranges_in(text: str) -> list[tuple[int, int]]:
    """Return the ranges that a text names: 1-5."""
    listed = [[int(one) for one in re.findall("[0-9]+", each)] for each in _LISTED.findall(text)]
    ranges = [(int(low), int(high)) for low, high in _RANGE.findall(text)]
    return [*ranges, *((min(each), max(each)) for each in listed)]


def turned(texts: Iterable[str]) -> Iterator[str]:
    """Yield the texts that say that lower numbers are the better ones, or that explain numbers in a
    way of which nobody knows which are good."""
    for text in texts:
        bare = _RANGE.sub(" ", text)
        if _LOWER.search(text):
            yield text
            continue
        points = points_in(bare)
        good = {number: one for number, one in points.items() if one}
        if not good:
            if len(points) > 1 or (_DIGIT.search(bare) and degree(text)):
                yield text
            continue
        least, most = min(points), max(points)
        low, high = points[least], points[most]
        if len(points) == 1:
            low, high = (low, 0) if least <= 1 else (0, high if least > 2 else 0)
        rising = sorted(good.items())
        falls = rising[0][1] > rising[-1][1]
        if low > 0 or high < 0 or falls:
            yield text
