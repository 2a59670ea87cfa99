"""Problems of imported files in the language of the page; commands speak English."""

import io

from django.utils import translation

from annotation.importers.items import read_items
from annotation.importers.judgments import read_judgments
from paraanno.template_filters import translated

BAD = "phrase,sentence,rank\nthe cat,the cat saw the cat,x\nmoon,the sun,\n\x00,a,\nshort\n"


def test_every_part_of_a_problem_is_said_in_korean():
    problems = read_items(io.BytesIO(BAD.encode()), name="bad.csv").problems
    english = [translated(problem.message) for problem in problems]
    assert english == [str(problem.message) for problem in problems] and len(english) == 5
    with translation.override("ko"):
        korean = [translated(problem.message) for problem in problems]
    assert not set(korean) & set(english) and "is not a" not in str(korean)
    assert "2번 나옵니다(0-7, 12-19)" in korean[0]


def test_the_name_of_another_kind_of_file_is_said_in_korean_too():
    [problem] = read_judgments(io.BytesIO(BAD[:40].encode()), name="bad.csv").problems
    with translation.override("ko"):
        said = translated(problem.message)
    assert said.startswith(
        "이 파일은 항목 파일로 보입니다('rank' 열이 있음). 항목(으)로 가져오십시오 (import_items). "
        "판단 파일의 열: item, phrase, "
    )
