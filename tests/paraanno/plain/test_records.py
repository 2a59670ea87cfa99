"""The same fault of a file has the same sentence in every command that reads a table."""

import contextlib
import io
import json
import re

import pytest
from django.core.management import CommandError, call_command

from tests.factories import make_campaign

# Five columns each, the first of them needed or known by its reader.
IMPORTS = {
    "import_items": ("item,phrase,sentence,paraphrase,system", ["camp"], []),
    "import_judgments": ("item,paraphrase,annotator,scale,value", ["camp"], []),
    "import_scores": ("item,phrase,sentence,paraphrase,score", ["camp"], []),
}
TOOLS = {
    "agreement": ("item,annotator,scale,value,other", [], []),
    "correlate": ("h,m,other,more,id", [], ["--human", "h", "--metric", "m"]),
    "score": ("id,original,paraphrase,reference,other", [], ["--metric", "pinc"]),
}
COMMANDS = IMPORTS | TOOLS
ROW = b"1,1,1,1,1\n"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def campaign():
    make_campaign(items=1)


def told(command, path):
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


# tests/annotation/importers/test_tables.py and test_json_lines.py have every fault.
TABLES = {
    "the byte 0xFF (line 2, character 1) is not UTF-8": lambda h: h + b"\n\xff" + ROW,
    "this is a zip or spreadsheet file": lambda h: b"PK\x03\x04" + h,
    "in this line a quoted cell is followed by other text": lambda h: h + b'\n"1"' + ROW,
    "there are 6 cells where the header has 5": lambda h: h + b"\n1," + ROW,
    "the column is in the header twice": lambda h: h + b"," + h.partition(b",")[0] + b"\n",
    "the file is empty": lambda h: b"",
    "there is a header but no record": lambda h: h + b"\n\n,,,,\n",
    "the header holds ';': save the file with ',' between": lambda h: h.replace(b",", b";"),
}
LINES = {
    "the line is not a JSON object": lambda record: b"[" + record + b"]",
    "the key '": lambda record: record[:-1] + b"," + record[1:],
    "all lines are blank": lambda record: b"\n \n",
}


@pytest.mark.parametrize("sentence", [*TABLES, *LINES])
def test_of_broken_tables_and_lines(sentence, tmp_path):
    sentences = set()
    for command, (header, *_) in COMMANDS.items():
        path = tmp_path / f"{command}.{'csv' if sentence in TABLES else 'jsonl'}"
        record = json.dumps(dict.fromkeys(header.split(","), 1))
        if sentence in TABLES:
            path.write_bytes(TABLES[sentence](header.encode()))
        else:
            path.write_bytes(LINES[sentence](record.encode()))
        sentences.add(re.sub(r"(?<=the key ')\w+.*", "", told(command, path)))
    assert len(sentences) == 1, sentences
    assert sentences.pop().startswith(sentence)


def test_of_a_file_that_is_not_there(tmp_path):
    assert {told(command, tmp_path / f"none_{command}.csv") for command in COMMANDS} == {
        "the file cannot be read (No such file or directory): check its name and who may read it"
    }


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_of_a_column_that_is_misspelt(ending, tmp_path):
    """Imports know all columns, the others only those that they need."""
    for command, (header, *_) in COMMANDS.items():
        name = header.split(",")[1]
        wrong = f"{name}x"
        names = header.replace(name, wrong, 1).split(",")
        path = tmp_path / f"{command}.{ending}"
        if ending == "jsonl":
            path.write_text(json.dumps(dict.fromkeys(names, "1")))
        else:
            mark = "\t" if ending == "tsv" else ","
            path.write_text(f"{mark.join(names)}\n{mark.join('11111')}\n")
        hint = " (did you mean '%s'?): correct "
        if command in IMPORTS:
            assert told(command, path).startswith(f"unknown column{hint % name}")
        elif command != "correlate":  # Of one letter nothing can be guessed.
            beginning = f"there is no column {name}{hint % wrong}the name or add"
            assert told(command, path).startswith(beginning)
