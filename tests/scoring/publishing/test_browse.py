"""The page to browse offline."""

import json
import re

from scoring.publishing import package_files
from scoring.publishing.package_files import browse_page

HOSTILE = "</script><script>alert(1)</script><!-- \u2028"


def text(word="big"):
    return {
        "phrase": "large",
        "before": "A ",
        "text": word,
        "after": " one.",
        "systems": ["S"],
        "given": {"MEANING": {"A1": 4}},
    }


def test_no_text_ends_the_script():
    page = browse_page(title=HOSTILE, texts=[text(HOSTILE)], scales=["MEANING"])
    assert page.count("</script>") == 2
    assert "<!-- " not in page
    found = re.search(r'id="data">(.*?)</script>', page, re.S)
    assert found is not None
    assert json.loads(found[1])["texts"] == [text(HOSTILE)]


def test_nothing_is_loaded():
    page = browse_page(title="T", texts=[text()], scales=["MEANING"])
    assert "default-src 'none'" in page
    assert "http://" not in page and "https://" not in page and "src=" not in page


def test_what_is_left_out_is_said(monkeypatch):
    monkeypatch.setattr(package_files, "MOST", 1)
    page = browse_page(title="T", texts=[text("one"), text("two")], scales=[])
    assert "The first 1 of 2 texts" in page and "two" not in page.split("data")[-1]
