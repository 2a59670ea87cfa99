"""`python -P warm.py`, started in a tree: runs pytest in a fork for each line of standard input.

What others wrote is imported once, which takes half of a short run; nothing of the tree itself is.
(Without -P, files beside this one would hide modules of the standard library.)
A line is a JSON list: the file for the output, the seconds that it may take, arguments of pytest.
The answer is a line with the exit status, or "late".
"""

import json
import os
import signal
import sys

import django.core.management
import django.db.models
import django.test
import hypothesis
import numpy
import pandas
import pytest
import pytest_django.plugin
import scipy.optimize
import scipy.stats

IMPORTED = (django, hypothesis, numpy, pandas, pytest_django, scipy)


def run(output, arguments):
    """In the fork, in a group of its own, which ends as a whole."""
    os.setpgid(0, 0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    with open(output, "wb") as stream:
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)
    sys.path.insert(0, os.getcwd())  # As `python -m pytest` has it.
    return int(pytest.main(arguments))


def late(_number, _frame):
    raise TimeoutError


def main():
    signal.signal(signal.SIGALRM, late)
    for line in sys.stdin:
        output, seconds, *arguments = json.loads(line)
        child = os.fork()
        if not child:
            code = 1
            try:
                code = run(output, arguments)
            finally:
                sys.stdout.flush()
                os._exit(code)
        signal.alarm(seconds)
        try:
            answer = str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        except TimeoutError:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            answer = "late"
        finally:
            signal.alarm(0)
        print(answer, flush=True)


main()
