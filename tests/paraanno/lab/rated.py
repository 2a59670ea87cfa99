"""Made ratings of three systems by three people."""

import numpy as np
import pandas as pd

rng = np.random.default_rng(3)
RATED = pd.DataFrame(
    [
        (system, item, rater, float(np.clip(round(rng.normal(3 + shift, 1)), 1, 5)), item // 2)
        for shift, system in enumerate("ABC")
        for item in range(20)
        for rater in "xyz"
    ],
    columns=["system", "item", "rater", "MEANING", "phrase"],
)
OF_A = RATED[RATED["system"] == "A"]
COLUMNS = {"item": "item", "annotator": "rater", "value": "MEANING"}
