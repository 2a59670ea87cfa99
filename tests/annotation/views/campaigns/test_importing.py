"""Problems of files and stored reasons in the language of the page; commands speak English."""

from __future__ import annotations

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import translation

from annotation.importers import read_items, read_judgments
from annotation.models import Exclusion
from annotation.models.people.exclusion import OWN_WISH
from annotation.services.people.exclusions import exclusion_add
from annotation.templatetags.labels import exclusion_reason
from paraanno.plain.sentence import Sentence, say
from paraanno.translated import translated
from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_campaign

BAD = "phrase,sentence,rank\nthe cat,the cat saw the cat,x\nmoon,the sun,\n\x00,a,\nshort\n"


def test_every_part_of_a_problem_is_said_in_korean() -> None:
    problems = read_items(io.BytesIO(BAD.encode()), name="bad.csv").problems
    assert len(problems) == 5
    for problem in problems:
        assert isinstance(problem.message, Sentence)
        english = str(problem.message)
        assert translated(problem.message) == english
        with translation.override("ko"):
            korean = translated(problem.message)
        assert korean != english and "is not a" not in korean
    with translation.override("ko"):
        assert "2번 나옵니다(0-7, 12-19)" in translated(problems[0].message)


def test_the_name_of_another_kind_of_file_is_said_in_korean_too() -> None:
    [problem] = read_judgments(io.BytesIO(BAD[:40].encode()), name="bad.csv").problems
    with translation.override("ko"):
        said = translated(problem.message)
    assert said.startswith(
        "이 파일은 항목 파일로 보입니다('rank' 열이 있음). 항목(으)로 가져오십시오 (import_items). "
        "판단 파일의 열: item, phrase, "
    )


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "words"), [("ko", "정수가 아닙니다"), ("en", "whole number")])
def test_the_import_page(language: str, words: str) -> None:
    make_campaign(items=1)
    page = client_of("dora").post(
        "/c/camp/import/",
        {"what": "items", "file": SimpleUploadedFile("bad.csv", BAD.encode())},
        headers={"Accept-Language": language},
    )
    assert page.status_code == 422 and words in text_of(page)


@pytest.mark.django_db
def test_reasons_that_services_store() -> None:
    campaign = make_campaign(items=1)
    by_software = say("Quality control: %(check)s", check=say("Sheet too fast"))
    reasons = {"bob": by_software, "ben": "open", "beth": OWN_WISH}
    said = {}
    for name, reason in reasons.items():
        kind = Exclusion.Kind.WITHDRAWAL if reason is OWN_WISH else Exclusion.Kind.EXCLUSION
        target = make_annotator(campaign, name)
        exclusion_add(target=target, reason=reason, actor=None, kind=kind)
        exclusion = Exclusion.objects.get(annotator=target)
        assert exclusion.reason == reason == exclusion_reason(exclusion)
        with translation.override("ko"):
            said[name] = exclusion_reason(exclusion)
    assert said == {
        "bob": "품질 관리: 평가지를 너무 빨리 끝냄",
        "ben": "open",  # What people write stays as it is.
        "beth": "본인의 뜻.",
    }
