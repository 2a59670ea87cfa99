"""Tables written as spreadsheet programs write them."""

import zipfile
from datetime import date
from io import BytesIO
from xml.sax.saxutils import escape

import xlsxwriter


def book(sheets, more=None):
    out = BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as workbook:
        day = workbook.add_format({"num_format": "dd.mm.yyyy"})
        for name, rows in sheets.items():
            sheet = workbook.add_worksheet(name)
            for at, row in enumerate(rows):
                for column, cell in enumerate(row):
                    if isinstance(cell, date):
                        sheet.write_datetime(at, column, cell, day)
                    elif isinstance(cell, str) and cell.startswith("="):
                        sheet.write_formula(at, column, cell, value="")
                    elif isinstance(cell, str):
                        sheet.write_string(at, column, cell)
                    elif cell is not None:
                        sheet.write(at, column, cell)
        if more is not None:
            more(workbook, sheet)
    return out.getvalue()


def ods(sheets):
    """The least that a spreadsheet program takes for one of its own files."""
    cell_of = '<table:table-cell office:value-type="{}"{}>{}</table:table-cell>'
    tables = []
    for name, rows in sheets.items():
        lines = []
        for row in rows:
            cells = [
                "<table:table-cell/>"
                if cell is None
                else cell_of.format("string", "", f"<text:p>{escape(cell)}</text:p>")
                if isinstance(cell, str)
                else cell_of.format("float", f' office:value="{cell}"', "")
                for cell in row
            ]
            lines.append(f"<table:table-row>{''.join(cells)}</table:table-row>")
        lines.append(
            '<table:table-row table:number-rows-repeated="1048000">'
            '<table:table-cell table:number-columns-repeated="1024"/></table:table-row>'
        )
        tables.append(f'<table:table table:name="{name}">{"".join(lines)}</table:table>')
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    content = (
        '<?xml version="1.0" encoding="UTF-8"?><office:document-content '
        f'xmlns:office="{space}office:1.0" xmlns:table="{space}table:1.0" '
        f'xmlns:text="{space}text:1.0" office:version="1.2"><office:body><office:spreadsheet>'
        f"{''.join(tables)}</office:spreadsheet></office:body></office:document-content>"
    )
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", 0)
        archive.writestr("content.xml", content)
        archive.writestr(
            "META-INF/manifest.xml",
            f'<manifest:manifest xmlns:manifest="{space}manifest:1.0"><manifest:file-entry '
            'manifest:full-path="/" '
            'manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>'
            "</manifest:manifest>",
        )
    return out.getvalue()
