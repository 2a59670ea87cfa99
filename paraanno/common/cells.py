"""The cells of one record, read as text, numbers, times and choices."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from paraanno.common.texts import (
    ProblemLog,
    Sentence,
    SentenceError,
    TextError,
    clean_text,
    say,
    shown,
)

MAX_NAME = 200
MAX_INTEGER = 2**31 - 1
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}(?:\.0{1,6})?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def brief(value: object) -> str:
    """Return a value of a file as a message shows it."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, list):
        return say("a list")
    return say("an object") if isinstance(value, Mapping) else shown(json.dumps(value))[1:-1]


class Cells:
    """One record of a table: `values` holds the cells that are not empty.

    The readers return None for an empty cell and for an invalid one. An invalid one is logged and
    sets `failed`, so that all problems of a record are reported at once.
    """

    __slots__ = ("failed", "line", "log", "values")

    def __init__(self, line: int, values: dict[str, object], log: ProblemLog) -> None:
        self.line = line
        self.values = values
        self.log = log
        self.failed = False

    def fail(self, column: str | None, message: Sentence) -> None:
        """Log an error of this record."""
        self.failed = True
        self.log.error(self.line, message, column)

    def text(self, column: str) -> str | None:
        """Return a text in NFC, with white space and case unchanged."""
        value = self.values.get(column)
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            self.fail(
                column, say("must be text, not %(value)s: put it in quotes", value=brief(value))
            )
            return None
        try:
            return clean_text(value)
        except TextError as error:
            self.fail(column, error.message)
            return None

    def filled(self, column: str) -> str | None:
        """Return a text like `text`; an empty or blank one is an error."""
        value = self.values.get(column)
        if value is None or (isinstance(value, str) and not value.strip()):
            self.fail(column, say("is empty: fill it in or delete the line"))
            return None
        return self.text(column)

    def label(self, column: str) -> str | None:
        """Return an identifier: a text like `filled`, or a number in JSON."""
        value = self.values.get(column)
        if type(value) is str and value.isascii() and value.isprintable() and value.strip():
            return value  # the usual case
        return str(value) if isinstance(value, int | float) else self.filled(column)

    def name(self, column: str, longest: int = MAX_NAME) -> str | None:
        """Return a short text on one line (an id, a label, a code), stripped of white space."""
        value = self.values.get(column)
        if type(value) is str and value.isascii() and value.isprintable() and len(value) <= longest:
            return value.strip() or None  # the usual case
        if type(value) is int:
            value = str(value) if abs(value) < 10**18 else "9" * (longest + 1)
        elif value is not None and not isinstance(value, str):
            self.fail(
                column,
                say(
                    "must be text or a whole number, not %(value)s: write it in quotes",
                    value=brief(value),
                ),
            )
            return None
        if not value:
            return None
        try:
            name = clean_text(value.strip())
        except TextError as error:
            self.fail(column, error.message)
            return None
        if len(name) > longest:
            self.fail(
                column,
                say(
                    "has %(n)s characters; at most %(most)s are allowed: shorten it",
                    n=len(name),
                    most=longest,
                ),
            )
            return None
        if _CONTROL.search(name):
            self.fail(
                column, say("%(name)s holds a control character: remove it", name=shown(name))
            )
            return None
        return name or None

    def once(self, column: str, key: str, lines: dict[str, int]) -> None:
        """Note the line of an id in `lines`; it is a problem if another line has it already."""
        line = lines.setdefault(key, self.line)
        if line != self.line:
            self.fail(
                column,
                say(
                    "%(id)s is already on line %(line)s: give each text its own",
                    id=shown(key),
                    line=line,
                ),
            )

    def integer(self, column: str, least: int = 0, most: int = MAX_INTEGER) -> int | None:
        """Return an integer; 3.0 counts as 3, because spreadsheets write integers so."""
        value = self.values.get(column)
        if value is None or value == "":
            return None
        number: int | None = None
        if type(value) is str and value.isascii() and value.isdigit() and len(value) < 10:
            number = int(value)  # the usual case
        elif type(value) is int:
            number = value
        elif isinstance(value, float) and value.is_integer():
            number = int(value)
        elif isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
            number = int(value.strip().partition(".")[0])
        if number is None or not least <= number <= most:
            self.fail(
                column,
                say(
                    "%(value)s is not a whole number from %(least)s to %(most)s: correct it",
                    value=brief(value),
                    least=least,
                    most=most,
                ),
            )
            return None
        return number

    def number(self, column: str) -> float | None:
        """Return a finite number, written with a decimal point."""
        value = self.values.get(column)
        number: float | None = None
        if type(value) is str and value.isascii() and "_" not in value:
            # the usual case; float() accepts 1_000 and the digits of other scripts too
            try:
                if math.isfinite(parsed := float(value)):
                    return parsed
            except ValueError:
                pass  # reported below
        elif type(value) is int or isinstance(value, float):
            number = _finite(value)
        elif isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
            number = _finite(value.strip())
        if value is None or value == "":
            return None
        if number is None:
            self.fail(
                column,
                say(
                    "%(value)s is not a number: write it as 4 or 3.5, or leave it empty",
                    value=brief(value),
                ),
            )
        return number

    def choice(self, column: str, choices: tuple[str, ...]) -> str:
        """Return one of `choices`; the first one if the cell is empty or invalid."""
        value = self.values.get(column)
        if value is None or value == "" or value in choices:
            return value if isinstance(value, str) and value else choices[0]
        self.fail(
            column,
            say(
                "%(value)s is none of %(choices)s: use one of these",
                value=brief(value),
                choices=", ".join(choices),
            ),
        )
        return choices[0]

    def moment(self, column: str) -> datetime | None:
        """Return an ISO 8601 time in UTC; one without a zone counts as UTC."""
        value = self.values.get(column)
        if value is None or value == "":
            return None
        try:
            if not isinstance(value, str):
                raise ValueError("not a text")
            moment = datetime.fromisoformat(value.strip())
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail(
                column,
                say(
                    "%(value)s is not a time: write it as 2024-05-31T14:05:00Z", value=brief(value)
                ),
            )
            return None


def _finite(value: int | float | str) -> float | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def check_json(value: object, depth: int = 0) -> None:
    """Raise TextError for a JSON value that a database cannot store: bad text, or too deep."""
    if depth > 32:
        raise TextError(say("is nested more than 32 levels deep: make it flatter"))
    if isinstance(value, str):
        clean_text(value)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            check_json(key, depth)
            check_json(part, depth + 1)
    elif isinstance(value, list):
        for part in value:
            check_json(part, depth + 1)


# The columns that a reader of tables knows, and the errors about others.


NEAR = 0.7  # With less, "item" would be suggested for "system".
MOST_LISTED = 30


def did_you_mean(name: str, names: Collection[str]) -> Sentence | str:
    """Return a hint at the most similar known name, to follow this one; empty if there is none."""
    close = difflib.get_close_matches(name.lower()[:40], names, 1, NEAR)
    if not close or close[0] == name:
        return ""
    return say(" (did you mean %(name)s?)", name=shown(close[0]))


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns of a table: `knows` decides which are read, `words` lists them for people.

    Other columns are refused, or ignored if the reader is not `strict`. The `needed` ones must be
    present; if there are any, a file without records is an error too.
    """

    words: tuple[str, ...]
    knows: Callable[[str], bool]
    needed: tuple[str, ...] = ()
    strict: bool = True

    @classmethod
    def of(cls, needed: tuple[str, ...]) -> Columns:
        """Return columns that must be present; all others are ignored."""
        return cls(words=needed, knows=frozenset(needed).__contains__, needed=needed, strict=False)

    def reads(self, name: str) -> bool:
        """Return True for a column whose errors matter."""
        return self.strict or self.knows(name)

    def null_is_value(self, name: str) -> bool:
        """Return True if null (in JSON) is more than an empty cell."""
        return False

    def other_kind(self, names: Collection[str]) -> Sentence | None:
        """Return an error if the columns look like those of another kind of file."""
        return None

    def refuse(self, line: int, names: Collection[str], log: ProblemLog) -> bool:
        """Log the columns that are missing or unknown; return True if there are any."""
        missing = [name for name in self.needed if name not in names]
        if missing:
            log.error(line, _missing(missing, names))
        unknown = [name for name in names if not self.knows(name)] if self.strict else []
        listed = log.errors > 0  # The list of all names is long and shown once.
        for name in unknown:
            hint = did_you_mean(name, self.words)
            if not hint and not listed:
                hint = say(" (known are %(words)s)", words=", ".join(self.words))
                listed = True
            log.error(line, self.unknown(hint), name)
        return bool(missing or unknown)

    def no_record(self, line: int, message: Sentence, log: ProblemLog) -> None:
        """Log that the file has no records."""
        (log.error if self.needed else log.warn)(line, message)

    def unknown(self, hint: str) -> Sentence:
        """Return the error about an unknown column."""
        return say("unknown column%(hint)s: correct or delete it", hint=hint)


def _missing(missing: list[str], names: Collection[str]) -> Sentence:
    there = list(names)[:MOST_LISTED]
    return say(
        "there is no column %(missing)s%(hint)s: correct the name or add the column (there are "
        "%(there)s)",
        missing=", ".join(missing),
        hint=did_you_mean(missing[0], there),
        there=", ".join(there) + (" ..." if len(names) > MOST_LISTED else ""),
    )


# Numbers as people write them in tables.


_COMMA = re.compile(r"\s*[+-]?\d+,\d+\s*")
_POINT = re.compile(r"\s*[+-]?\d+\.\d+\s*")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+,\d+")
_NUMBER_TEXT = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
# Digits and signs of East Asian input methods.
_WIDE = str.maketrans("０１２３４５６７８９．，－", "0123456789.,-")


def has_decimal_comma(text: str) -> bool:
    """True for a number with a comma before its fraction: 3,5."""
    return _COMMA.fullmatch(text) is not None


def has_decimal_point(text: str) -> bool:
    """True for a number with a point before its fraction: 3.5."""
    return _POINT.fullmatch(text) is not None


def plain_number_text(text: str, decimal: str = ".") -> str:
    """Return a number as programs write it: with a point, without spaces around.

    With the decimal sign ",", points between thousands are removed. A text that is no number comes
    back stripped.
    """
    plain = text.strip().translate(_WIDE)
    if decimal == ",":
        if _GROUPED.fullmatch(plain):
            plain = plain.replace(".", "")
        if has_decimal_comma(plain):
            plain = plain.replace(",", ".")
    return plain


def read_number(text: str, decimal: str = ".") -> float | None:
    """Return the number in a text; None if there is none."""
    plain = plain_number_text(text, decimal)
    return float(plain) if len(plain) < 40 and _NUMBER_TEXT.fullmatch(plain) else None


# Escaping of texts in CSV and TSV that a spreadsheet would take for formulas.


_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")


def escape(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would take for a formula.

    A text that begins with apostrophes and then such a character gets one more, so that removing
    one is the exact inverse.
    """
    return "'" + text if _FORMULA.match(text) else text


def unescape(cell: str) -> str:
    """Remove the apostrophe that keeps a spreadsheet from reading a text as a formula."""
    return cell[1:] if _ESCAPED.match(cell) else cell


# Tags of languages after BCP 47 (RFC 5646), and the direction of their scripts.


Direction = Literal["ltr", "rtl", "auto"]
UNDETERMINED = "und"
LONGEST = 35  # RFC 5646, section 4.4.1: what software should at least allow.

# ISO 639-1 with the ISO 639-2/T codes of the same languages, in order of their English names. A
# language that has both is tagged with two letters (RFC 5646, section 2.2.1).
_CODES = (
    "ab:abk aa:aar af:afr ak:aka sq:sqi am:amh ar:ara an:arg hy:hye as:asm av:ava ae:ave "
    "ay:aym az:aze bm:bam ba:bak eu:eus be:bel bn:ben bi:bis bs:bos br:bre bg:bul my:mya "
    "ca:cat ch:cha ce:che ny:nya zh:zho cu:chu cv:chv kw:cor co:cos cr:cre hr:hrv cs:ces "
    "da:dan dv:div nl:nld dz:dzo en:eng eo:epo et:est ee:ewe fo:fao fj:fij fi:fin fr:fra "
    "fy:fry ff:ful gd:gla gl:glg lg:lug ka:kat de:deu el:ell kl:kal gn:grn gu:guj ht:hat "
    "ha:hau he:heb hz:her hi:hin ho:hmo hu:hun is:isl io:ido ig:ibo id:ind ia:ina ie:ile "
    "iu:iku ik:ipk ga:gle it:ita ja:jpn jv:jav kn:kan kr:kau ks:kas kk:kaz km:khm ki:kik "
    "rw:kin ky:kir kv:kom kg:kon ko:kor kj:kua ku:kur lo:lao la:lat lv:lav li:lim ln:lin "
    "lt:lit lu:lub lb:ltz mk:mkd mg:mlg ms:msa ml:mal mt:mlt gv:glv mi:mri mr:mar mh:mah "
    "mn:mon na:nau nv:nav nd:nde nr:nbl ng:ndo ne:nep no:nor nb:nob nn:nno ii:iii oc:oci "
    "oj:oji or:ori om:orm os:oss pi:pli ps:pus fa:fas pl:pol pt:por pa:pan qu:que ro:ron "
    "rm:roh rn:run ru:rus se:sme sm:smo sg:sag sa:san sc:srd sr:srp sn:sna sd:snd si:sin "
    "sk:slk sl:slv so:som st:sot es:spa su:sun sw:swa ss:ssw sv:swe tl:tgl ty:tah tg:tgk "
    "ta:tam tt:tat te:tel th:tha bo:bod ti:tir to:ton ts:tso tn:tsn tr:tur tk:tuk tw:twi "
    "ug:uig uk:ukr ur:urd uz:uzb ve:ven vi:vie vo:vol wa:wln cy:cym wo:wol xh:xho yi:yid "
    "yo:yor za:zha zu:zul"
)
THREE_LETTERS = dict(pair.split(":") for pair in _CODES.split())
TWO_LETTERS = tuple(THREE_LETTERS)
# Withdrawn tags and their successors in the IANA Language Subtag Registry.
_SUCCESSORS = {"in": "id", "iw": "he", "ji": "yi", "jw": "jv", "mo": "ro"}
_SHORTER = _SUCCESSORS | {three: two for two, three in THREE_LETTERS.items()}

_TAG = re.compile(
    r"(?P<language>[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{5,8})"
    r"(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?:[a-z]{2}|[0-9]{3}))?"
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"
    r"(?:-[0-9a-wyz](?:-[a-z0-9]{2,8})+)*"
    r"(?:-x(?:-[a-z0-9]{1,8})+)?"
)
# Unicode CLDR, scriptMetadata.txt, field RTL; Aran is a variant of Arab.
_RTL_SCRIPTS = (
    "adlm arab aran armi avst chrs cprt elym hatr hebr hung khar lydi mand mani mend merc mero "
    "narb nbat nkoo orkh palm phli phlp phnx prti rohg samr sarb sogd sogo syrc thaa yezi"
)
# Languages whose likely script is one of them (Unicode CLDR, likelySubtags.xml).
_RTL_LANGUAGES = (
    "ae aeb apc apd ar arc arq ary arz avl bal bej bft bgn bqi brh ckb dcc dv fa glk haz he hnd "
    "hno khw ks lad lah lki lrc luz mzn nqo ps rmt sd skr smp syr ug ur yi"
)
RTL_SCRIPTS, RTL_LANGUAGES = (frozenset(one.split()) for one in (_RTL_SCRIPTS, _RTL_LANGUAGES))


class LanguageTagError(SentenceError):
    """Not a tag of BCP 47; the message gives the remedy."""


def read_tag(text: str) -> str:
    """Return the tag as RFC 5646 writes it (`pt-BR`, `az-Arab`); empty for an empty text.

    Underscores count as hyphens, and `kor` as `ko`. Raises LanguageTagError for anything else.
    """
    plain = text.strip().replace("_", "-").lower()
    if not plain:
        return ""
    match = _TAG.fullmatch(plain)
    language, *rest = plain.split("-")
    language = _SHORTER.get(language, language)
    if (
        match is None
        or len(plain) > LONGEST
        or (len(language) == 2 and language not in TWO_LETTERS)
    ):
        raise LanguageTagError(
            say(
                "%(tag)s is not a language tag of BCP 47: write en, ko, pt-BR or zh-Hant, and und "
                "if it is not known",
                tag=shown(text),
            )
        )
    return "-".join([language, *_cased(rest)])


def _cased(subtags: list[str]) -> list[str]:
    """Regions in capitals and scripts with one, before any extension (section 2.1.1)."""
    written: list[str] = []
    for at, one in enumerate(subtags):
        if len(one) == 1:
            return [*written, *subtags[at:]]
        written.append({2: one.upper(), 4: one.title()}.get(len(one), one))
    return written


def known_tag(tag: str) -> str:
    """Return the tag, empty for `und` and its subtags."""
    return "" if primary(tag) == UNDETERMINED else tag


def primary(tag: str) -> str:
    """Return the language without script and region: `pt` of `pt-BR`; empty for an empty tag."""
    return tag.partition("-")[0].lower()


def direction(tag: str) -> Direction:
    """Return the direction of writing: that of the script, named or usual; `auto` if unknown."""
    match = _TAG.fullmatch(tag.lower())
    if match is None or not known_tag(tag):
        return "auto"
    script = match["script"]
    rtl = script in RTL_SCRIPTS if script else primary(tag) in RTL_LANGUAGES
    return "rtl" if rtl else "ltr"
