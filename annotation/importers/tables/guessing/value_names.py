"""What the names of columns with judgments say: the scale, and who judged."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from annotation.importers.tables.names import (
    KNOWN_SCALES,
    concepts,
    lexicon_plain_name,
    scale_named,
)

_FIRST_NAMES = (
    "ana; ann; anna; anne; anja; andrea; andreas; alex; alexander; alice; amy; andrew; "
    "antonio; ben; benjamin; bob; bernd; bert; carla; carlos; carlo; caroline; charlotte; "
    "chen; chiara; chris; christian; christine; claire; clara; claudia; daniel; david; "
    "diego; dieter; dora; elena; elif; emil; emily; emma; erik; eva; eve; felix; fiona; "
    "florian; francois; frank; franz; gabriel; georg; hans; hannah; hannes; heike; helen; "
    "hugo; ines; ingrid; isabel; ivan; jack; jakob; jane; jean; jens; jens; jim; "
    "joao; john; jonas; jorge; jose; juan; julia; julie; kai; karin; karl; katrin; "
    "kevin; kim; klaus; laura; lea; lee; lena; leo; leon; li; lin; linda; lisa; louis; "
    "luca; lucas; lucia; luis; lukas; manuel; marc; marco; maria; marie; mario; "
    "markus; marta; martin; mary; maya; mei; mia; michael; michel; miguel; "
    "mina; ming; minji; monika; nadia; nina; noah; nora; olga; oliver; oscar; pablo; "
    "park; paul; paula; pedro; peter; petra; philipp; pierre; rachel; ralf; raul; rita; "
    "robert; rosa; ruth; sabine; sam; samuel; sandra; sara; sarah; sebastian; sofia; "
    "sonja; sophie; stefan; steve; susan; susanne; sven; tanja; thomas; tim; tobias; tom; "
    "tina; uwe; vera; victor; wang; wei; wolfgang; yan; yuki; yuna; zhang; zhao; liu; "
    "chloe; camille; lucie; mathieu; nicolas; antoine; thierry; carmen; javier; alberto; "
    "lopez; garcia; meyer; schmidt; mueller; weber; minsu; jiho; jihoon; jimin; minho; "
    "cem; doro; dorothea; emre; mehmet; ayse; deniz; murat; fatma; zeynep; reto; urs; ursina; "
    "inaki; rocio; nerea; iker; ainhoa; jordi; nuria; pilar; bjorn; astrid; 서준; "
    "adam; agnes; ahmed; aisha; akira; alba; albert; alessandro; ali; alicia; alina; amir; anita; "
    "anton; arjun; arthur; astrid; barbara; beate; birgit; bruno; carol; catherine; cecilia; "
    "celine; dana; deepak; denis; dennis; dmitri; dominik; edgar; eduardo; eleni; elisa; elise; "
    "ellen; enrique; ernst; esther; fatima; fernando; filip; francesca; francisco; fritz; gemma; "
    "george; gerd; giulia; greta; gustav; hana; haruki; hassan; heinz; helga; henri; henry; hiro; "
    "ibrahim; ida; igor; ingo; irene; iris; jan; janina; jasmin; jennifer; jessica; joachim; "
    "joana; joe; johanna; johannes; jonathan; josef; joseph; judith; jun; jurgen; kate; keiko; "
    "kenji; konrad; kurt; lars; laurent; leila; lily; lorenzo; louise; luc; lucy; luisa; luise; "
    "magda; malik; manon; margot; mariam; marion; mark; matteo; matthias; max; melanie; miriam; "
    "mohamed; nathalie; naomi; natalia; nico; nils; olivia; omar; otto; patrick; peggy; pia; "
    "priya; quentin; rainer; ravi; regina; renate; ricardo; richard; romain; ryan; saki; samira; "
    "sergio; silvia; simon; sylvie; takeshi; teresa; theo; theresa; tomas; ursula; valentina; "
    "valerie; vanessa; vincent; walter; werner; william; xavier; yannick; yasmin; yusuf; yves; "
    "sujin; younghee; chulsoo; seoyeon; hyun; jiwoo; dohyun; haruto; 김; 이; 박; 최; 정; 민수; "
    "aaron; abigail; adele; agata; agnieszka; aino; aleksander; alexandra; alexis; alfred; "
    "alison; allison; amanda; amelie; anastasia; anders; angela; anika; annika; anya; arnaud; "
    "artur; ashley; aurelie; beatriz; bella; benoit; bettina; bianca; bill; bogdan; brian; "
    "brigitte; camila; carlotta; cathy; cecile; chantal; charles; charlie; christoph; "
    "christopher; clemens; clemence; clement; cristina; damien; danielle; darius; dave; debora; "
    "deborah; denise; derek; dirk; donna; dorota; dylan; ed; eddie; edith; edward; eero; ella; "
    "eleanor; eliza; elizabeth; elke; elodie; emilia; emilie; emilio; emmanuel; enzo; eric; "
    "erika; esteban; ethan; eugene; eun; evan; evelyn; ewa; fabian; fabio; fanny; farid; "
    "federico; frida; fred; frederic; friederike; gabriela; gabrielle; gareth; geoff; gerard; "
    "gilles; giovanni; gloria; grace; graham; guillaume; guy; hanne; harald; harry; hayley; "
    "heather; hector; heidi; henrik; herbert; hilda; holger; ian; ilse; imran; inga; isabelle; "
    "ivana; jacob; jacques; jaime; james; jana; janet; jason; jasper; jeanne; jeff; jenny; "
    "jeremy; jerome; jesse; jill; joanna; joel; jorg; jordan; joshua; joy; jozef; juliane; "
    "julian; juliette; justin; justyna; kamil; kari; karen; karolina; kasia; katarzyna; kathrin; "
    "katie; keith; ken; kenneth; kirsten; krzysztof; kristina; kyle; lara; larissa; lauren; "
    "laurence; leonie; lina; lorena; lotta; lothar; lou; lukasz; lydia; lynn; maciej; maja; "
    "malte; manfred; marcel; marcin; marek; margaret; margarita; marianne; mariana; marina; "
    "marlene; mateo; mathilde; matt; matthew; maxime; megan; mehdi; melissa; meike; mel; michal; "
    "michele; mika; mike; mikael; milena; milan; moritz; mona; monica; monique; nadine; nancy; "
    "nathan; neil; nele; nicholas; nicole; nick; niklas; noemi; norbert; ola; ole; oleg; paolo; "
    "pascal; pat; patricia; patrycja; pavel; pawel; per; petr; phil; philip; philippe; piotr; "
    "radek; rafael; rahul; raphael; rebecca; remi; renata; rene; roberto; roger; roland; roman; "
    "ronja; rosie; ruben; russell; sabrina; sally; salma; samantha; sanna; santiago; sascha; "
    "scott; sean; selina; shan; sharon; sheila; sigrid; simone; solene; sonia; stella; stephan; "
    "stephanie; stephen; steven; stina; sunil; svenja; svetlana; tamara; tania; tara; tatiana; "
    "ted; thea; till; timo; tomasz; tony; torsten; tyler; ulrich; ulrike; uta; ute; veronica; "
    "veronika; viktor; vicky; virginie; vivian; wendy; wiebke; will; wojciech; xiao; yann; yara; "
    "yasmine; yolanda; yoko; yvonne; zach; zoe; zofia; zuzana; "
    "田中; 佐藤; 鈴木; 高橋; 伊藤; 渡辺; 山本; 中村; "
    "小林; 加藤; 吉田; 山田; "
    "영희; 철수; 지은; 지훈; 수진; 민지; 서연; 현우; 준호; 지우; 유진; "
    "小明; 小红; 小华; 张三; 李四; 王五"
)
FIRST_NAMES = frozenset(_FIRST_NAMES.split("; "))
# K. Meyer; codes of people: P01, A12, an e-mail address, the family and given name of a Korean.
_CODE = re.compile(
    r"(?:[A-Z]\.[ -]?)+[^\W\d_]+|[A-Za-z]{1,3}[-_]?[0-9]{1,5}|[^@\s]+@[^@\s]+\.[a-z]+|"
    r"[김이박최정강조윤장임한오서신권황안송류홍][가-힣]{2}"
)
MOST_SHORT = 4  # letters of a word that is shortened
_BETWEEN = re.compile(r"[_:\-–|/]|\.(?=\D)")
# The range of a scale, mostly in brackets: Meaning (1-5).
_POINTS = re.compile(
    r"[(\[（]\s*-?[0-9]+\s*(?:[-–—~/]|to|bis|à|a)\s*[0-9]+\s*[)\]）]|"
    r"(?<![A-Za-z0-9])[0-9]{1,3}[-–—~][0-9]{1,3}(?![A-Za-z0-9])"
)


def parts(name: str) -> list[str]:
    """Return what stands between the brackets and signs of a name."""
    pieces = re.split(r"[()\[\];,/（），；]", name)
    return [piece.strip() for piece in pieces if piece.strip()]


def without(name: str, scale: str | None, scales: Sequence[str]) -> str:
    """Return a name without the scale and words for values, annotators and the like."""
    words = []
    whole, name = name, _POINTS.sub(" ", name)
    name = re.sub("[（）]", " ", name)  # No space stands before these.
    for word in _BETWEEN.sub(" ", name).split():
        bare = word.strip("()[],.;")
        plain = lexicon_plain_name(bare)
        if scale and (scale_named(bare, [scale]) or plain == lexicon_plain_name(scale)):
            rest = plain.replace(lexicon_plain_name(scale), "").strip()
            if rest and rest != plain and len(rest) < 8:
                words.append(rest)
            continue
        if concepts(bare) & {"value", "scale"} and "annotator" not in concepts(bare):
            continue
        if bare.startswith("1") and any(sign in word for sign in "–-") and "(" in word:
            continue
        words.append(bare)
    left = " ".join(word for word in words if word)
    if not lexicon_plain_name(left) or _is_range(left):
        return ""
    # "rater_1" is how the people of the table are called.
    return whole.strip() if left.split() == _BETWEEN.sub(" ", name).split() else left


def _is_range(text: str) -> bool:
    plain = lexicon_plain_name(text).split()
    return len(plain) == 2 and all(one.isdigit() for one in plain) and plain[0] in ("0", "1")


_QUESTION = re.compile(
    r"(q|c|d|t|m|item|frage|question|pregunta|문항|질문|问题|题)[\s_.\-]*([0-9]{1,3}|[a-z])",
    re.IGNORECASE,
)


def like_a_question(name: str) -> bool:
    """Whether a name numbers questions, criteria or times rather than people: Q1, C2, T1."""
    return _QUESTION.fullmatch(name.strip()) is not None


def bare_names(people: Mapping[int, str | None]) -> dict[int, str | None]:
    """Return the names without a word for points that stands behind all of them in Chinese or
    Korean signs, which no space parts from the name."""
    names = [name for name in people.values() if name]
    if len(names) < 2 or len(names) < len(people):
        return dict(people)
    for at in range(1, len(names[0])):
        end = names[0][at:].strip()
        if not end.isascii() and "value" in concepts(end) and not concepts(names[0][:at]):
            bare = {place: (name or "").removesuffix(end).strip() for place, name in people.items()}
            if all(name and name != people[place] for place, name in bare.items()):
                return {**bare}
    return dict(people)


def are_names(names: Sequence[str]) -> bool:
    """Whether all names are those of people: most are first names that many have, or codes."""
    if len(names) < 2 or len({name.casefold() for name in names}) < len(names):
        return False
    coded = [_CODE.fullmatch(name.strip()) is not None for name in names]
    if any(coded):
        return all(coded)
    named = sum(_is_name(name) for name in names)
    return named * 2 > len(names) and all(_like_a_name(name) for name in names)


def _is_name(name: str) -> bool:
    words = lexicon_plain_name(name).split()
    return any(word in FIRST_NAMES for word in words[:4])


def _like_a_name(name: str) -> bool:
    """Whether a name is one or two words about nothing else."""
    return _is_name(name) or (len(name.split()) < 3 and not concepts(name))


_SHORTENED = (
    "meaning; grammar; adequacy; accuracy; fluency; naturalness; similarity; simplicity; style; "
    "coherence; clarity; correctness; relevance; diversity; novelty; quality; semantics; "
    "preservation; faithfulness; bedeutung; grammatik; sinn; flussigkeit; naturlichkeit; stil; "
    "sens; grammaire; fluidite; significado"
)
_CRITERIA = _SHORTENED.split("; ")


def _shortens(name: str, word: str) -> bool:
    """Whether letters begin a word and follow each other in it: ADQ of adequacy."""
    left = iter(word)
    return word[:1] == name[:1] and all(letter in left for letter in name)


def is_cut_criterion(name: str) -> bool:
    """Whether a name is the beginning of a word for a criterion: Flu., Adeq."""
    plain = lexicon_plain_name(name).replace(" ", "")
    return len(plain) > 2 and any(one.startswith(plain) for one in _CRITERIA)


def are_short_criteria(names: Sequence[str]) -> bool:
    """Whether a few letters each may stand for criteria: M and G, ADQ and FLU."""
    plain = [lexicon_plain_name(name).replace(" ", "") for name in names]
    return all(
        name.isalpha()
        and len(name) <= MOST_SHORT
        and any(_shortens(name, one) for one in _CRITERIA)
        for name in plain
    )


def differ_in_a_number(names: Sequence[str]) -> bool:
    """Whether names have a common stem, and a number or letter each: R1, R2; A, B."""
    if are_short_criteria(names):
        return False
    stems = set()
    for name in names:
        words = lexicon_plain_name(name).split()
        if not words:
            return False
        last = words[-1]
        if last.isdigit() or (len(last) == 1 and last.isalpha()):
            stems.add(" ".join(words[:-1]))
        elif len(words) == 1 and name.isupper() and len(name) <= 3:
            stems.add("")
        else:
            return False
    return len(stems) == 1 and bool(names)


_AND = re.compile(r"[&+]|(?:^|[\s_-])(?:and|und|et|y|vs)(?:[\s_-]|$)|및|와 |과 |和|与", re.I)


def titled_scale(titles: Sequence[str], scales: Sequence[str]) -> str:
    """Return the only scale that the first title about scales names; "" for none, or several."""
    for title in titles:
        named = {one.casefold() for one in (*scales, *KNOWN_SCALES) if scale_named(title, [one])}
        if named:
            [*own] = [one for one in scales if named == {one.casefold()}]
            return own[0] if own and not _AND.search(title) else ""
    return ""
