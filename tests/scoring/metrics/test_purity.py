"""The metrics import neither Django nor anything of the project outside themselves but what
every pure package may."""

import ast
import subprocess
import sys


def test_metrics_import_alone():
    code = (
        "import sys; from scoring import metrics; metrics.create('bleu'); metrics.create('pinc');"
        "from scoring.metrics import pairs;"
        "print([n for n in sys.modules if n.split('.')[0] in ('django', 'paraanno', 'annotation')"
        " or (n.startswith('scoring.') and not n.startswith('scoring.metrics'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = ast.literal_eval(done.stdout)
    assert loaded[0] == "paraanno"
    assert all(f"{name}.".startswith("paraanno.common.") for name in loaded[1:])
