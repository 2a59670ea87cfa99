#!/usr/bin/env python
"""Entry point of every administrative command."""

import sys

from paraanno.running.command import run

if __name__ == "__main__":
    run(sys.argv)
