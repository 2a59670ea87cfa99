"""The refusal of a busy site, for programs and for people. A real server: gate/test_worker.py."""

import json

import pytest

from paraanno.gate.admission import BusyAnswers, read_head


@pytest.mark.parametrize(
    ("head", "kind", "language", "words"),
    [
        ("GET /api/v1/me", "application/json", "en", "The site is busy"),
        ("GET /rate/camp/\r\nAccept: text/html", "text/html", "en", "The site is busy"),
        ("GET /\r\nAccept: text/html\r\nAccept-Language: ko, en", "text/html", "ko", "바쁩니다"),
        (
            "GET /c/camp/\r\nAccept: */*\r\nCookie: a=b; django_language=ja; c",
            "application/json",
            "ja",
            "サイトが混み合っています",
        ),
        ("HEAD /\r\nAccept: text/html\r\nAccept-Language: xx;q=no", "text/html", "en", ""),
    ],
)
def test_what_it_says(head, kind, language, words):
    first, _, lines = head.partition("\r\n")
    head = read_head(f"{first} HTTP/1.1\r\n{lines}\r\n\r\n".encode())
    answer = BusyAnswers().answer(head, after=7, close=False).decode()
    start, _, body = answer.partition("\r\n\r\n")
    assert start.startswith("HTTP/1.1 503 ") and "\r\nRetry-After: 7\r\n" in start
    assert f"\r\nContent-Type: {kind}" in start and f"\r\nContent-Language: {language}\r\n" in start
    assert ("\r\nRefresh: 7\r\n" in start) == (kind == "text/html")
    assert f"\r\nContent-Length: {len(body.encode())}\r\n" in start or not words
    if kind == "application/json":
        body = json.loads(body)["detail"]
    assert words in body
