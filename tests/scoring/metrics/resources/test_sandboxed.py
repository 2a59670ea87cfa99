"""Conversions in the sandbox: the same store, the same sentences, and an end to what has none."""

import time

import pytest

from paraanno.common.sandbox.parent import Allowance
from scoring.metrics.files import FileRefused
from scoring.metrics.resources import stores
from scoring.metrics.resources.kinds import convert as plainly
from scoring.metrics.resources.stores import convert
from tests.scoring.metrics.good_files import GOOD


def written(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def made(reader, kind, tmp_path, name):
    source, folder, told = tmp_path / "source.txt", tmp_path / name, []
    source.write_text(GOOD[kind], "utf-8")
    folder.mkdir()
    return reader(kind, source, folder, progress=told.append), told, written(folder)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["vectors", "lm", "texts"])
def test_a_file_is_converted_as_without(kind, tmp_path):
    inside, outside = (
        made(reader, kind, tmp_path, name)
        for reader, name in ((convert, "inside"), (plainly, "outside"))
    )
    assert inside == outside and inside[1][-1] == 1.0


def test_a_refusal_names_the_file_as_it_was_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "cut.txt"
    source.write_text("9 2\ncat 1\n")
    with pytest.raises(FileRefused) as refused:
        convert("vectors", source.relative_to(tmp_path), tmp_path, progress=print)
    assert str(refused.value) == "cut.txt:2: has 1 values instead of 2; is it word2vec text?"


def endless(kind, source, folder, *, progress):
    while True:
        pass


def silent(kind, source, folder, *, progress):
    time.sleep(20)


def wrong(kind, source, folder, *, progress):
    raise KeyError("vectors")


def reading(tell, kind, source, folder, reader):
    """In place of `converting`: another reader."""
    tell(globals()[reader](kind, source, folder, progress=tell))


def use(monkeypatch, reader, seconds):
    """Have this reader called in the sandbox."""
    real = stores.sandboxed

    def other(_, *args, allowed, **options):
        within = Allowance(seconds, allowed.memory, allowed.file)
        return real(f"{__name__}:reading", *args, reader, allowed=within, **options)

    monkeypatch.setattr(stores, "sandboxed", other)


@pytest.mark.parametrize(
    ("reader", "sentence"),
    [("endless", "takes longer to read than its size allows"), ("wrong", "KeyError: 'vectors'")],
)
def test_a_reader_without_end_is_ended_and_the_file_refused(
    reader, sentence, tmp_path, monkeypatch
):
    source = tmp_path / "v.txt"
    source.write_text("1 1\na 1\n")
    use(monkeypatch, reader, seconds=1)
    with pytest.raises(FileRefused, match=rf"v\.txt:0: .*{sentence}"):
        convert("vectors", source, tmp_path, progress=print)


def test_who_waits_is_asked_while_a_reader_says_nothing(tmp_path, monkeypatch):
    """So it can be cancelled."""
    source, shares = tmp_path / "v.txt", []
    source.write_text(GOOD["vectors"])

    def progress(share):
        shares.append(share)
        if len(shares) == 2:
            raise KeyboardInterrupt

    use(monkeypatch, "silent", seconds=60)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        convert("vectors", source, tmp_path, progress=progress)
    assert shares == [0.0, 0.0] and time.monotonic() - began < 15


def test_what_progress_raises_ends_it(tmp_path):
    def lost(share):
        raise KeyboardInterrupt

    source = tmp_path / "v.txt"
    source.write_text(GOOD["vectors"])
    with pytest.raises(KeyboardInterrupt):
        convert("vectors", source, tmp_path, progress=lost)
