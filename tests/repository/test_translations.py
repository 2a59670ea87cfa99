"""The catalogues: complete, compiled, with the placeholders of the English texts."""

import re
import subprocess
from datetime import datetime
from fnmatch import fnmatch
from gettext import GNUTranslations

import pytest
from django.conf import settings
from django.test import Client
from django.utils import formats, translation

from annotation.collecting.claiming import claim_next
from paraanno.management.commands.annotator_messages import meet
from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_campaign, rate_sheet
from tests.repository.texts import PO, entries, used

SAME = re.compile(r"%\(\w+\)[a-z]|\{\w+\}|</?\w+>")
ANNOTATORS = settings.BASE_DIR / "locale" / "annotators"
CATALOGUES = {
    code: PO
    if code == "ko"
    else ANNOTATORS / translation.to_locale(code) / "LC_MESSAGES" / "django.po"
    for code, _name in settings.LANGUAGES
    if code != "en"
}
HANGUL = re.compile(r"[가-힣]")
KOREAN = {"headers": {"accept-language": "ko"}}


@pytest.fixture(autouse=True)
def english_afterwards():
    """A request leaves its language behind in the thread; other tests expect English."""
    yield
    translation.activate(settings.LANGUAGE_CODE)


@pytest.mark.slow
def test_every_text_of_the_sources_is_translated_and_no_other():
    found = used()
    assert len(found) > 1000
    known = {entry.key for entry in entries()}
    lacking = {text: place for text, place in found.items() if text not in known}
    assert not lacking, "run `make messages` and translate"
    assert not known - set(found), "texts that nothing uses: run `make messages`"


@pytest.mark.slow
def test_texts_are_called_by_names_that_are_collected():
    """Under another name than its own and `_`, gettext's texts are in no catalogue."""
    sources = [
        path
        for app in ("annotation", "scoring", "paraanno")
        for path in settings.BASE_DIR.glob(f"{app}/**/*.py")
    ]
    assert len(sources) > 500
    renamed = re.compile(r"\bn?p?gettext(?:_lazy|_noop)? as (?!_\b)\w+")
    assert [str(path) for path in sources if renamed.search(path.read_text("utf-8"))] == []


@pytest.mark.slow
@pytest.mark.parametrize("language", [code for code in CATALOGUES if code != "ko"])
def test_annotators_have_all_their_texts_and_no_others(language):
    sources = meet()
    expected = {
        entry.key
        for entry in entries()
        for source in " ".join(entry.comments).split()
        for pattern, inside in sources.items()
        if fnmatch(source, pattern) and (inside is None or entry.parts["msgid"] in inside)
    }
    assert len(expected) > 400
    assert {entry.key for entry in entries(CATALOGUES[language])} == expected, "run `make messages`"


def test_the_sources_of_annotators_texts_are_there():
    assert [one for one in meet() if not list(settings.BASE_DIR.glob(one))] == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_each_translation_is_whole_and_has_what_the_english_text_fills_in(language):
    """No guess, and the same placeholders and tags."""
    for entry in entries(CATALOGUES[language]):
        assert all(entry.translations), entry.key
        flags = [line for line in entry.comments if line.startswith("#,")]
        assert "fuzzy" not in " ".join(flags), entry.key
        english = entry.parts.get("msgid_plural", entry.parts["msgid"])
        for text in entry.translations:
            assert set(SAME.findall(text)) == set(SAME.findall(english)), text


@pytest.mark.parametrize("language", CATALOGUES)
def test_texts_with_numbers_have_each_form_of_the_plural(language):
    """As many as the rule of the catalogue asks for."""
    with CATALOGUES[language].with_suffix(".mo").open("rb") as file:
        rule = GNUTranslations(file).plural
    forms = {rule(n) for n in range(200)}
    assert forms == set(range(max(forms) + 1))
    for entry in entries(CATALOGUES[language]):
        if "msgid_plural" in entry.parts:
            assert len(entry.translations) == len(forms) and all(entry.translations), entry.key


@pytest.mark.parametrize("language", CATALOGUES)
def test_the_compiled_file_is_that_of_the_source(language):
    path = CATALOGUES[language]
    with path.with_suffix(".mo").open("rb") as file:
        compiled = GNUTranslations(file)
    source = {}
    for entry in entries(path):
        if "msgid_plural" in entry.parts:
            source |= {(entry.key, n): text for n, text in enumerate(entry.translations)}
        else:
            source[entry.key] = entry.translations[0]
    stored = {key: text for key, text in compiled._catalog.items() if key}
    assert stored == source, "run `make messages`"


@pytest.mark.service("gettext")
@pytest.mark.parametrize("language", CATALOGUES)
def test_gettext_itself_finds_the_file_right(language):
    path = str(CATALOGUES[language])
    command = ["msgfmt", "--check-format", "--check-domain", "--output-file=/dev/null", path]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr


@pytest.fixture
def campaign():
    """Bob has judged a sheet and holds another."""
    made = make_campaign(items=3)
    bob = make_annotator(made, "bob")
    rate_sheet(bob, claim_next(annotator=bob))
    return made


@pytest.mark.slow
@pytest.mark.once  # Other tests ask for these pages, in English.
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("user", "path", "words"),
    [
        ("", "/accounts/login/", "로그인"),
        ("bob", "/", "판단할 것"),
        ("bob", "/rate/camp/", "마지막 평가지"),
        ("bob", "/rate/camp/own/", "내 작업"),
        ("bob", "SHEET", "이전 평가지"),
        ("dora", "/campaigns/", "캠페인 목록"),
        ("alice", "/campaigns/new/", "평가지마다 필요한 평가자 수"),
        ("dora", "/c/camp/", "진행 상황"),
        ("dora", "/c/camp/agreement/", "일치도"),
        ("dora", "/c/camp/people/", "초대하기"),
        ("dora", "/c/camp/quality/", "통제 문항과 사본"),
        ("dora", "/c/nothing/", "그런 캠페인이 없습니다."),
        ("dora", "/no/such/page", "페이지를 찾을 수 없음"),
    ],
)
def test_pages_in_korean(campaign, user, path, words):
    client = client_of(user)
    if path == "SHEET":
        sheet = claim_next(annotator=make_annotator(campaign, "bob"))
        assert sheet is not None
        path = f"/rate/camp/{sheet.key}/"
    english = client.get(path)
    korean = client.get(path, **KOREAN)
    for page, language in ((english, "en"), (korean, "ko")):
        assert f'<html lang="{language}" dir="ltr">' in page.content.decode()
    page = text_of(korean)
    assert words in page and page != text_of(english)
    # No sentence of ours stays English: all that the English page says is said in Korean.
    sentences = [entry.key for entry in entries() if len(entry.key) > 15 and "%" not in entry.key]
    assert [text for text in sentences if text in page] == []


@pytest.mark.once  # Other tests ask for these pages, in English.
@pytest.mark.django_db
def test_messages_of_django_and_refusals_of_services_are_korean_too():
    make_campaign()
    answer = Client().post("/accounts/login/", {"username": "bob", "password": "no"}, **KOREAN)
    assert HANGUL.search(str(answer.context["form"].non_field_errors()))
    refused = client_of("charlie").get("/api/v1/campaigns/camp/", **KOREAN)
    assert HANGUL.search(refused.json()["detail"])


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_dates_and_numbers_are_written_alike(language):
    with translation.override(language):
        moment = datetime(2026, 2, 1, 17, 5)
        for name in ("DATETIME_FORMAT", "SHORT_DATETIME_FORMAT"):
            assert formats.date_format(moment, name) == "2026-02-01 17:05"
        assert formats.date_format(moment, "DATE_FORMAT") == "2026-02-01"
        assert formats.number_format(1234.5) == "1234.5"
