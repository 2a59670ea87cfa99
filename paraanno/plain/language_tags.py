"""Tags of languages after BCP 47 (RFC 5646), and the direction of their scripts."""

from __future__ import annotations

import re
from typing import Literal

from paraanno.plain.problems import shown
from paraanno.plain.sentence import SentenceError, say

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
    found = _TAG.fullmatch(plain)
    language, *rest = plain.split("-")
    language = _SHORTER.get(language, language)
    if (
        found is None
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
    found = _TAG.fullmatch(tag.lower())
    if found is None or not known_tag(tag):
        return "auto"
    script = found["script"]
    rtl = script in RTL_SCRIPTS if script else primary(tag) in RTL_LANGUAGES
    return "rtl" if rtl else "ltr"
