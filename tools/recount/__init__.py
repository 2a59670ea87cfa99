"""Every count and coefficient of the zip for a paper, computed again from the files alone.

    python -m tools.recount FOLDER

FOLDER holds `paper` (the zip, unpacked) and the exports `items.csv` and `judgments.csv` of the same
campaign. Nothing here imports the product: pandas, krippendorff, scipy and sacrebleu only. An
interval is drawn by the product's own generator, so that only its order is checked.
"""
