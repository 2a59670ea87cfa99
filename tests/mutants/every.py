"""All mutants, by the rule that they break: what stands in the files beside this one."""

import tomllib
from pathlib import Path

from tests.mutants import Mutant

RULES = {
    rule: [Mutant(**one) for one in mutants]
    for file in sorted(Path(__file__).parent.glob("*.toml"))
    for rule, mutants in tomllib.loads(file.read_text("utf-8")).items()
}
