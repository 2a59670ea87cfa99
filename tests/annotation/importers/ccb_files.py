"""Evaluation files, read."""

from annotation.importers import read_ccb
from tests.annotation.importers.strategies import stream

# The layout of the guide's first sample, with sentences of our own.
BLANK = """\
IN THE END (phrase number: 1)
MEANING GRAMMAR the ferry , which was late , __IN THE END__ did not leave . (item number: 1)
the ferry , which was late , __finally__ did not leave . 1,9
the ferry , which was late , __at last__ did not leave . 3,5,6
the ferry , which was late , __the end__ did not leave .0,8

MEANING GRAMMAR __IN THE END__ Anna paid . (item number: 2)
__finally__ Anna paid . 1,9

"""


def read(text, **options):
    return read_ccb(stream(text), name="e.csv", **options)
