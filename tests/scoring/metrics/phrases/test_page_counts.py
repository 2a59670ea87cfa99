"""Page counts: a table, a corpus, the stores made of them, and what is refused."""

import pytest

from scoring.metrics.phrases.apem import Analysis
from scoring.metrics.phrases.google_distance import (
    LONGEST_PAGE,
    CountTable,
    convert,
    google_distance,
    load_page_counts,
    read_page_counts,
)
from tests.scoring.metrics.refused import refused

FILE = "counts.tsv"
EN, KO = Analysis("en", "merged", "keep"), Analysis("ko", "merged", "keep")
TABLE = "#total\t1000\nnations\t20\ncountry\t30\nheld  concerts\t7\ncountry\tnations\t5\n"
CORPUS = "#corpus\ten\nNations held concerts.\nA country, two countries\n\nThe nation's concert\n"
NATION, COUNTRY, HELD = ("nation",), ("country",), ("hold", "concert")


def test_a_table_gives_the_counts_of_its_words_in_any_form(write):
    counts = read_page_counts(write(TABLE)).cut(EN)
    assert counts.total == 1000
    assert [counts.pages(phrase) for phrase in (NATION, COUNTRY, HELD)] == [20, 30, 7]
    assert counts.both(NATION, COUNTRY) == counts.both(COUNTRY, NATION) == 5
    assert counts.both(NATION, HELD) == counts.pages(("tree",)) == 0


def test_of_words_that_fall_together_the_greatest_count_is_taken(write):
    text = "#total\t9\ntree\t3\ntrees\t4\ndog\t2\ndog\ttree\t1\ndog\ttrees\t2\n"
    counts = read_page_counts(write(text)).cut(EN)
    assert (counts.pages(("tree",)), counts.both(("tree",), ("dog",))) == (4, 2)


def test_a_corpus_is_counted_page_by_page(write):
    counts = read_page_counts(write(CORPUS)).cut(EN)
    assert counts.total == 3
    assert [counts.pages(phrase) for phrase in (NATION, COUNTRY, HELD)] == [2, 1, 1]
    assert counts.both(NATION, ("concert",)) == 2
    assert counts.both(NATION, COUNTRY) == counts.pages(("tree",)) == counts.pages(()) == 0


@pytest.mark.slow
def test_a_korean_corpus_is_counted_by_morphemes(write):
    counts = read_page_counts(write("#corpus\tko\n국가를 정했다.\n국가는 공부했다\n나라\n")).cut(KO)
    assert counts.pages(("국가",)) == 2
    assert counts.both(("공부하",), ("국가",)) == 1


def test_a_corpus_counts_what_is_cut_alike(write):
    english = read_page_counts(write(CORPUS))
    with pytest.raises(ValueError, match="counts: the corpus is en; use lang=en"):
        english.cut(KO)
    korean = read_page_counts(write("#corpus\tko\n국가\n"))
    with pytest.raises(ValueError, match="a corpus is counted with segmentation=merged"):
        korean.cut(Analysis("ko", "raw", "keep"))
    assert korean.cut(Analysis("ko", "merged", "drop")) is korean


@pytest.mark.parametrize(
    ("content", "numbers"),
    [
        (TABLE, {"words": 3, "pairs": 1, "pages": 1000}),
        (CORPUS, {"words": 5, "pages": 3}),
    ],
)
def test_a_store_gives_the_same(write, tmp_path, content, numbers):
    path, store = write(content), tmp_path / "store"
    assert convert(path, store) == numbers
    plain, stored = (load_page_counts(str(place)).cut(EN) for place in (path, store))
    assert plain.total == stored.total
    for one in (NATION, COUNTRY, HELD, ("tree",)):
        assert plain.pages(one) == stored.pages(one)
        assert plain.both(one, NATION) == stored.both(one, NATION)


BEGIN = "must begin with #total<TAB>PAGES (a table) or #corpus<TAB>LANG (one document per line)."


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        ("", [f"0: {BEGIN}"]),
        ("nation\t3\n", [f"1: {BEGIN}"]),
        ("#total\t0\nnation\t3\n", [f"1: {BEGIN}"]),
        ("#total\t" + "9" * 5000, [f"1: {BEGIN}"]),
        ("#corpus\tde\nnation\n", [f"1: {BEGIN}"]),
        ("#total\t9\n", ["1: has no lines below the first; add some."]),
        ("#corpus\ten\n?!\n", ["1: has no lines below the first; add some."]),
        (
            "#total\t9\nnation\nx\ty\tz\t1\nnation\tmany\nnation\t-1\n\t3\n",
            [
                "2: should be word<TAB>pages or word<TAB>word<TAB>pages.",
                "3: should be word<TAB>pages or word<TAB>word<TAB>pages.",
                "4: ends in 'many', which is not a number of pages.",
                "5: ends in '-1', which is not a number of pages.",
                "6: should be word<TAB>pages or word<TAB>word<TAB>pages.",
            ],
        ),
        ("#total\t9\na\t1\na\t2\n", ["3: repeats the count of line 2; delete one."]),
        ("#total\t9\na\t10\n", ["2: counts 10 pages of 9; correct it or #total."]),
        (
            "#total\t9\na\t1\na\tb\t1\n",
            ["3: pairs b, which has no line with its own count."],
        ),
        ("#total\t9\na\t1\nb\t2\nb\ta\t2\n", ["4: counts more pages than a has (1)."]),
        (
            "#corpus\ten\n" + "tree " * (LONGEST_PAGE // 5 + 1),
            ["2: has over 20,000 characters; split it into pages."],
        ),
        (b"#corpus\ten\n\xff\n", ["2: is not UTF-8; save the file as UTF-8."]),
    ],
)
def test_problems_name_file_and_line(write, content, problems):
    assert refused(read_page_counts, write(content)) == [f"counts.tsv:{text}" for text in problems]


# Normalised Google distance, and the two kinds of page counts that it may come from.


def test_the_distance_by_hand():
    """Equation 2 with f(x) = 100, f(y) = 1000, f(x, y) = 10, M = 100,000: (3 - 1) / (5 - 2)."""
    table = CountTable(100_000, {("x",): 100, ("y",): 1000}, {(("x",), ("y",)): 10})
    assert google_distance(table, ("x",), ("y",)) == pytest.approx(2 / 3)
    assert google_distance(table, ("y",), ("x",)) == pytest.approx(2 / 3)
    assert google_distance(table, ("x",), ("z",)) is None
    everywhere = CountTable(10, {("x",): 10, ("y",): 10}, {(("x",), ("y",)): 10})
    assert google_distance(everywhere, ("x",), ("y",)) is None
