"""What the first bytes of a request say."""

import pytest

from paraanno.gate.admission import MOST_PATIENCE, Rank, kind_of, read_head

SHEET = "/api/v1/sheets/9a0dc1f6-0000-4000-8000-000000000000"


@pytest.mark.parametrize(
    ("kind", "paths"),
    [
        (
            Rank.JUDGING,
            [
                SHEET,
                f"{SHEET}/state",
                "/api/v1/campaigns/exports/claim",
                "/rate/camp/",
                "/api/v1/campaigns/camp/progress/own",
                "/static/js/rate/main.js",
                "/accounts/login/",
                "/api/v1/session",
                "/p/link",
                "/join/token/",
            ],
        ),
        (
            Rank.PAGE,
            [
                "/",
                "",
                "/c/camp/",
                "/c/exports/people/",
                "/api/v1/campaigns/board",
                "/api/v1/campaigns/camp/progress",
                "/rates",
                "/tasks/board/",
                "/accounts/tokens/",
            ],
        ),
        (
            Rank.FILE,
            [
                "/c/camp/exports/",
                "/c/camp/board/live/",
                "/api/v1/campaigns/camp/reports/results",
                "/api/v1/campaigns/camp/exports",
                "/tasks/task/board.html",
                "/restore/",
                "/api/v1/campaigns/camp/imports/items",
                "/metrics",
            ],
        ),
    ],
)
def test_the_kind_comes_from_the_path(kind, paths):
    assert {path: kind_of(path) for path in paths} == dict.fromkeys(paths, kind)


def test_a_whole_request():
    lines = "X-Paraanno-Patience: 2500\r\ncontent-length: 12"
    sent = f"PUT {SHEET}?fragment=1 HTTP/1.1\r\n{lines}\r\n\r\n"
    head = read_head(sent.encode() + b"{}")
    assert (head.method, head.path, head.patience, head.close) == ("PUT", SHEET, 2.5, False)
    assert head.length == len(sent) + 12


@pytest.mark.parametrize(
    ("lines", "length"),
    [
        ("Transfer-Encoding: chunked", None),
        ("Expect: 100-continue\r\nContent-Length: 5", None),
        ("Content-Length: x", None),
        ("Content-Length: -1", None),
        ("A: b", 27),
    ],
)
def test_how_long_a_request_is_may_not_be_known(lines, length):
    assert read_head(f"GET / HTTP/1.1\r\n{lines}\r\n\r\n".encode()).length == (
        length and len(f"GET / HTTP/1.1\r\n{lines}\r\n\r\n")
    )


@pytest.mark.parametrize(
    "start", [b"", b"\r\n\r\n", b"GET", b"\xff\x00" * 50, b"GET /a HTTP/1.1\r\nX"]
)
def test_what_is_cut_off_or_no_request_is_no_error(start):
    head = read_head(start)
    assert head.length is None or head.close
    assert head.kind == Rank.PAGE


@pytest.mark.parametrize(
    ("text", "patience"),
    [
        ("2500", 2.5),
        ("0", 0.0),
        ("99999999", MOST_PATIENCE),
        ("", MOST_PATIENCE),
        ("soon", MOST_PATIENCE),
        ("-1", MOST_PATIENCE),
        ("9" * 400, MOST_PATIENCE),
    ],
)
def test_patience_is_in_milliseconds_and_has_a_bound(text, patience):
    head = read_head(f"GET / HTTP/1.1\r\nX-Paraanno-Patience: {text}\r\n\r\n".encode())
    assert head.patience == patience
