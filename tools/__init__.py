"""Programs for those who work on the project: what is measured, and what is broken on purpose.

    python -m tools.bench [PART ...]    what saves, imports, exports, metrics and pages cost
    python -m tools.soak                people judge while every part of a site fails in turn

They start sites as the tests do (`tests/live.py`), and nothing of the application imports them.
"""
