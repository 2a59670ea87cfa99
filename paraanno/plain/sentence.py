"""English sentences that a page can translate.

Pure packages import no translator, so a sentence keeps the template and the values from which it
was built. `make messages` collects the templates, which are the first argument of `say`.

JSON has no type for sentences, so the parts are beside the text, under its key with `_parts`:

    {"reason": "needs 3 units", "reason_parts": ["needs %(n)s units", {"n": "3"}]}

A sentence inside another is again `[template, values]`. A sentence without values is its own
template and has no parts; in a list of parts it is null.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, overload

_NONE: Mapping[str, object] = MappingProxyType({})
PARTS = "_parts"


class Sentence(str):
    """An English sentence with its parts `template` and `values`; values may be sentences."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.template, dict(self.values))


def say(template: str, /, **values: object) -> Sentence:
    """Build a sentence from a template and values (`%(name)s`); without values, the text as is."""
    return _again(template, values)


def _again(template: str, values: Mapping[str, object]) -> Sentence:
    sentence = Sentence(template % values if values else template)
    sentence.template = template
    sentence.values = values or _NONE
    return sentence


NOTHING = _again("", {})


def joined(separator: str, texts: Iterable[str]) -> Sentence:
    """Join texts to one sentence that keeps the parts of each."""
    parts = {f"part{n}": text for n, text in enumerate(texts, 1)}
    between = separator.replace("%", "%%")
    return _again(between.join(f"%({name})s" for name in parts), parts)


@overload
def changed(text: Sentence, change: Callable[[str], str]) -> Sentence: ...
@overload
def changed(text: str, change: Callable[[str], str]) -> str: ...
def changed(text: str, change: Callable[[str], str]) -> str:
    """Apply `change` to the values of a sentence, or to the entire text if it has no parts."""
    if not isinstance(text, Sentence):
        return change(text)
    values = {
        name: changed(value if isinstance(value, str) else str(value), change)
        for name, value in text.values.items()
    }
    return _again(text.template, values)


def said(error: BaseException) -> str:
    """Return the message of an exception; a sentence if it was raised with one."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Sentence) else str(error)


class SentenceError(ValueError):
    """An error that keeps its sentence."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(message)
        self.message = message


def sentence_json(data: Any) -> Any:
    """Return data for JSON with the parts of its sentences; `revived` is the inverse."""
    if isinstance(data, Mapping):
        found = {}
        for key, value in data.items():
            found[key] = sentence_json(value)
            if (parts := _parts(value)) is not None:
                found[f"{key}{PARTS}"] = parts
        return found
    if isinstance(data, list | tuple):
        return [sentence_json(value) for value in data]
    return data


def _parts(value: object) -> list[Any] | None:
    """Return the parts of a sentence or list of sentences; None if the text suffices."""
    if isinstance(value, Sentence):
        return _whole(value) if value.values else None
    if isinstance(value, list | tuple):
        parts = [_parts(one) for one in value]
        return parts if any(one is not None for one in parts) else None
    return None


def _whole(sentence: Sentence) -> list[Any]:
    values = {
        name: _whole(value) if isinstance(value, Sentence) else str(value)
        for name, value in sentence.values.items()
    }
    return [sentence.template, values]


def revived(data: Any) -> Any:
    """Return the data that `sentence_json` wrote, with its sentences; other data unchanged."""
    if isinstance(data, list):
        return [revived(value) for value in data]
    if not isinstance(data, dict):
        return data
    found = {key: revived(value) for key, value in data.items()}
    for name in [name for name in data if name.endswith(PARTS)]:
        key = name.removesuffix(PARTS)
        if (sentence := _with_parts(found.get(key), data[name])) is not None:
            found[key] = sentence
            del found[name]
    return found


def _with_parts(text: object, parts: object) -> Any:
    """Return the sentence or list of sentences with these parts; None if they do not match."""
    if not isinstance(parts, list):
        return None
    if isinstance(text, list) and len(text) == len(parts):
        pairs = list(zip(text, parts, strict=True))
        found = [one if part is None else _with_parts(one, part) for one, part in pairs]
        kept = [one is not None for one, part in zip(found, parts, strict=True) if part is not None]
        return found if kept and all(kept) else None
    if not isinstance(text, str) or (sentence := _from_parts(parts)) is None:
        return None
    return sentence if sentence == text != sentence.template else None


def _from_parts(parts: list[Any]) -> Sentence | None:
    match parts:
        case [str(template), dict(values)]:
            made = {
                name: _from_parts(value) if isinstance(value, list) else value
                for name, value in values.items()
            }
        case _:
            return None
    try:
        return None if None in made.values() else _again(template, made)
    except (KeyError, TypeError, ValueError):
        return None  # Foreign data: the template has other values.
