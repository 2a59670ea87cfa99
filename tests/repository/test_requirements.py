"""Pinned requirements name exact versions and nothing of the machine that compiled them."""

from __future__ import annotations

import re

import pytest

from tests import HOME

PARTS = ("", "-dev", "-neural")


def pins(name: str) -> dict[str, str]:
    lines = (HOME / name).read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if line and not re.match(r" *(#|--hash=sha256:\w{64})", line)]
    pinned = [
        re.fullmatch(r"([a-z0-9-]+)(?:\[[a-z,]+\])?==([^ ]+)( ; .+?)?( \\)?", line)
        for line in found
    ]
    assert all(pinned), [line for line, match in zip(found, pinned, strict=True) if not match]
    return {match[1]: match[2] for match in pinned if match}


@pytest.mark.parametrize("name", [f"requirements{part}.txt" for part in PARTS])
def test_pinned_and_free_of_addresses(name: str) -> None:
    assert len(pins(name)) > 20
    text = (HOME / name).read_text(encoding="utf-8")
    assert not re.search(r"https?:|file:|--(?!hash=sha256:)|\s/\w", text)
    if name != "requirements-neural.txt":  # Its torch may come from anywhere.
        blocks = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
        assert [one for one in blocks if "--hash=sha256:" not in one] == []


@pytest.mark.parametrize(("one", "other"), [("", "-dev"), ("", "-neural"), ("-dev", "-neural")])
def test_files_agree(one: str, other: str) -> None:
    first, second = pins(f"requirements{one}.txt"), pins(f"requirements{other}.txt")
    both = first.keys() & second.keys()
    assert both
    assert {name: first[name] for name in both} == {name: second[name] for name in both}


def test_torch_is_pinned_apart_and_draws_nothing_else() -> None:
    assert pins("constraints-neural.txt").keys() == {"torch"}
    assert not re.search("torch|nvidia|cuda|triton", " ".join(pins("requirements-neural.txt")))


def test_every_wish_is_pinned() -> None:
    for part in PARTS:
        wishes = (HOME / f"requirements{part}.in").read_text(encoding="utf-8").splitlines()
        names = {re.split(r"[\[<>= ]", wish)[0].lower() for wish in wishes if wish[:1].isalpha()}
        assert names <= pins(f"requirements{part}.txt").keys()
