"""Labels of codes, reasons of exclusions, and names of languages, in the language of the page."""

import pytest
from django.utils import translation

from annotation.models import Exclusion
from annotation.models.people import OWN_WISH
from annotation.templatetags.labels import exclusion_reason, label
from annotation.templatetags.languages import language_choices, language_name, written
from paraanno.common.texts import say
from tests.factories import exclude, make_annotator


@pytest.mark.django_db
def test_reasons_that_services_store(campaign):
    by_software = say("Quality control: %(check)s", check=say("Sheet too fast"))
    reasons = {"bob": by_software, "ben": "open", "beth": OWN_WISH}
    said = {}
    for name, reason in reasons.items():
        kind = Exclusion.Kind.WITHDRAWAL if reason is OWN_WISH else Exclusion.Kind.EXCLUSION
        target = make_annotator(campaign, name)
        exclude(target, reason=reason, kind=kind)
        exclusion = Exclusion.objects.get(annotator=target)
        assert exclusion.reason == reason == exclusion_reason(exclusion)
        with translation.override("ko"):
            said[name] = exclusion_reason(exclusion)
    assert said == {
        "bob": "품질 관리: 평가지를 너무 빨리 끝냄",
        "ben": "open",  # What people write stays as it is.
        "beth": "본인의 뜻.",
    }


def test_a_code_is_shown_by_the_label_of_its_choices():
    assert label("simulated", "annotation.Annotator.Origin") == "Simulated"
    assert label("", "annotation.Annotator.Origin") == label(None, "scoring.Run.Status") == ""
    with pytest.raises(ValueError, match="unheard of"):
        label("unheard of", "annotation.Annotator.Origin")


def test_attributes_and_names():
    assert written("ar-EG") == 'lang="ar-EG" dir="rtl"'
    assert written("") == written("und") == 'lang="" dir="auto"'
    assert (language_name("ko"), language_name("pt-BR")) == (
        "Korean (ko)",
        "Brazilian Portuguese (pt-BR)",
    )
    assert language_name("tlh") == "tlh"
    with translation.override("ko"):
        assert ("en", "영어") in language_choices()
