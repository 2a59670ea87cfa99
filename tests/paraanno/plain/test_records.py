"""The same fault of a file has the same sentence in every command that reads a table."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.factories import make_campaign

# Five columns each, the first of them needed or known by its reader.
IMPORTS: dict[str, tuple[str, list[str], list[str]]] = {
    "import_items": ("item,phrase,sentence,paraphrase,system", ["camp"], []),
    "import_judgments": ("item,paraphrase,annotator,scale,value", ["camp"], []),
    "import_scores": ("item,phrase,sentence,paraphrase,score", ["camp"], []),
}
TOOLS: dict[str, tuple[str, list[str], list[str]]] = {
    "agreement": ("item,annotator,scale,value,other", [], []),
    "correlate": ("h,m,other,more,id", [], ["--human", "h", "--metric", "m"]),
    "score": ("id,original,paraphrase,reference,other", [], ["--metric", "pinc"]),
}
COMMANDS = IMPORTS | TOOLS
ROW = b"1,1,1,1,1\n"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def campaign() -> None:
    make_campaign(items=1)


def told(command: str, path: Path) -> str:
    """What the command says of the file, without place and column: a warning, or the first line."""
    _, before, after = COMMANDS[command]
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            call_command(command, *before, str(path), *after)
        except SystemExit as stop:
            code = int(stop.code or 0)
        except CommandError as error:
            code = error.returncode
            err.write(str(error))
    lines = err.getvalue().splitlines()
    first = next((line for line in lines if "warning: " in line), lines[0])
    if code != 2:  # Only imports take a file without records.
        assert (code, command in IMPORTS, first) == (0, True, lines[0]) and "warning: " in first
    else:
        assert out.getvalue() == ""
    place = re.match(rf"{re.escape(str(path))}:\d+: (warning: )?(column '\w+': )?", first)
    assert place, first
    return first[place.end() :]


Broken = Callable[[bytes], bytes]
TABLES: dict[str, Broken] = {
    "the byte 0xFF (line 2, character 1) is not UTF-8": lambda h: h + b"\n\xff" + ROW,
    "the byte 0xFF (line 1, character 2) is not UTF-8": lambda h: h[:1] + b"\xff" + h[1:],
    "the file is in UTF-16": lambda h: (h + b"\n" + ROW).decode().encode("utf-16"),
    "this is a zip or spreadsheet file": lambda h: b"PK\x03\x04" + h,
    "there is a NUL character (line 3, character 1)": lambda h: h + b"\n\n\0" + ROW,
    "a quote opened in this record is not closed": lambda h: h + b'\n"' + ROW,
    "in this line a quoted cell is followed by other text": lambda h: h + b'\n"1"' + ROW,
    "there are 6 cells where the header has 5": lambda h: h + b"\n1," + ROW,
    "there are 2 cells where the header has 5": lambda h: h + b"\n1,1\n",
    "the column is in the header twice": lambda h: h + b"," + h.partition(b",")[0] + b"\n",
    "the file is empty": lambda h: b"",
    "there is a header but no record": lambda h: h + b"\n\n,,,,\n",
    "the header holds ';': save the file with ',' between": lambda h: h.replace(b",", b";"),
    "a cell is longer than 1000000 characters": lambda h: h + b"\n" + b"x" * 1_000_001 + ROW,
    "the line is longer than 4000000 characters": lambda h: h + b"\n" + b"x" * 5_000_000 + ROW,
}
LINES: dict[str, Broken] = {
    "the line is not JSON (Expecting ',' delimiter": lambda record: record[:-1],
    "the line is not a JSON object": lambda record: b"[" + record + b"]",
    "the key '": lambda record: record[:-1] + b"," + record[1:],
    "NaN is not a value": lambda record: record.replace(b"1", b"NaN"),
    "the byte 0xFF (line 1, character 1) is not UTF-8": lambda record: b"\xff" + record,
    "all lines are blank": lambda record: b"\n \n",
    "the file is empty": lambda record: b"",
}


@pytest.mark.parametrize("sentence", TABLES)
def test_of_tables(sentence: str, tmp_path: Path) -> None:
    said = set()
    for command, (header, *_) in COMMANDS.items():
        path = tmp_path / f"{command}.csv"
        path.write_bytes(TABLES[sentence](header.encode()))
        said.add(told(command, path))
    assert len(said) == 1, said
    assert said.pop().startswith(sentence)


@pytest.mark.parametrize("sentence", LINES)
def test_of_json_lines(sentence: str, tmp_path: Path) -> None:
    said = set()
    for command, (header, *_) in COMMANDS.items():
        path = tmp_path / f"{command}.jsonl"
        path.write_bytes(LINES[sentence](json.dumps(dict.fromkeys(header.split(","), 1)).encode()))
        said.add(re.sub(r"(key|character) \S+", r"\1", told(command, path)))
    assert len(said) == 1, said
    assert said.pop().startswith(re.sub(r"(key|character) \S+", r"\1", sentence))


def test_of_a_file_that_is_not_there(tmp_path: Path) -> None:
    said = {told(command, tmp_path / f"none_{command}.csv") for command in COMMANDS}
    assert said == {
        "the file cannot be read (No such file or directory): check its name and who may read it"
    }


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_of_a_column_that_is_misspelt(ending: str, tmp_path: Path) -> None:
    """Imports know all columns, the others only those that they need."""
    for command, (header, *_) in COMMANDS.items():
        name = header.split(",")[1]
        wrong = f"{name}x"
        names = [wrong if one == name else one for one in header.split(",")]
        lines = [",".join(names), ROW.decode()]
        text = "\n".join(lines).replace(",", "\t" if ending == "tsv" else ",")
        path = tmp_path / f"{command}.{ending}"
        path.write_text(json.dumps(dict.fromkeys(names, "1")) if ending == "jsonl" else text)
        hint = f" (did you mean '{name}'?): correct "
        if command in IMPORTS:
            assert told(command, path).startswith(f"unknown column{hint}")
        elif command != "correlate":  # Of one letter nothing can be guessed.
            hint = f" (did you mean '{wrong}'?): correct "
            assert told(command, path).startswith(f"there is no column {name}{hint}the name or add")
