"""Setting tables with pdflatex on a page of two columns."""

import shutil
import subprocess

import pytest

from tests.needs import strict

needs_pdflatex = pytest.mark.skipif(
    not shutil.which("pdflatex") and not strict(), reason="there is no pdflatex"
)


def too_large(tables, folder):
    """Warnings of lines or tables beyond the page of the ACL: 16 cm, columns of 7.7 cm.

    Nothing but booktabs is loaded; an error of LaTeX fails the test.
    """
    for at, table in enumerate(tables):
        (folder / f"t{at}.tex").write_text(table, "utf-8")
    (folder / "paper.tex").write_text(
        r"\documentclass[10pt,twocolumn,a4paper]{article}\usepackage{booktabs}"
        r"\setlength\textwidth{16cm}\setlength\columnsep{0.6cm}\setlength\textheight{24.7cm}"
        r"\setlength\topmargin{-1.5cm}\begin{document}Text."
        + "".join(rf"\input{{t{at}}}\clearpage " for at in range(len(tables)))
        + r"\end{document}",
        "utf-8",
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper.tex"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    log = (folder / "paper.log").read_text("latin-1")
    warned = ("Overfull", "LaTeX Warning: Float too large")
    return [line for line in log.splitlines() if line.startswith(warned)]
