"""Pure writers of files: rows in, bytes or text out, streaming. No database, no Django."""

from annotation.exporters.columns import (
    JUDGMENT_COLUMNS,
    Column,
    RowBlock,
    RowBlocks,
    annotator_columns,
    annotator_key,
    attribute_name,
    gold_columns,
    item_columns,
    item_record,
    matrix_columns,
    reference_name,
)
from annotation.exporters.parquet import write_parquet
from annotation.exporters.texts import (
    CcbRow,
    ccb_chunks,
    ccb_obstacle,
    template_data,
    write_ccb,
    write_template,
)
from annotation.exporters.writers import (
    FORMATS,
    ExcelError,
    row_chunks,
    write_excel,
    write_rows,
    write_text,
)
from paraanno.common.cells import escape

__all__ = [
    "FORMATS",
    "JUDGMENT_COLUMNS",
    "CcbRow",
    "Column",
    "ExcelError",
    "RowBlock",
    "RowBlocks",
    "annotator_columns",
    "annotator_key",
    "attribute_name",
    "ccb_chunks",
    "ccb_obstacle",
    "escape",
    "gold_columns",
    "item_columns",
    "item_record",
    "matrix_columns",
    "reference_name",
    "row_chunks",
    "template_data",
    "write_ccb",
    "write_excel",
    "write_parquet",
    "write_rows",
    "write_template",
    "write_text",
]
