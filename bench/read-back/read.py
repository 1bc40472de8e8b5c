"""Tells what a file holds in lines of JSON: the name of a sheet, then its rows, titles first. read.py FILE TARGET"""

import csv
import io
import json
import sys
import zipfile
from pathlib import Path


def read_csv(path):
    # A mark of the order of bytes is no part of the first title.
    with open(path, newline="", encoding="utf-8-sig") as file:
        yield path.stem, csv.reader(file, strict=True)


def read_zip(path):
    with zipfile.ZipFile(path) as file:
        broken = file.testzip()
        if broken is not None:
            raise ValueError(f"the checksum of {broken} is wrong")
        for name in file.namelist():
            with file.open(name) as entry:
                lines = io.TextIOWrapper(entry, newline="", encoding="utf-8")
                yield name, csv.reader(lines, strict=True)


def read_json(path):
    sheets = json.loads(path.read_text(encoding="utf-8"))["sheets"]
    for sheet in sheets.values():
        yield sheet["name"], [[column["title"] for column in sheet["columns"]], *sheet["rows"]]


def read_xls(path):
    import xlrd

    # With formats, which tell days and clocks apart.
    book = xlrd.open_workbook(str(path), formatting_info=True)

    def told(cell):
        if cell.ctype in (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK):
            return None
        if cell.ctype == xlrd.XL_CELL_DATE:
            code = book.format_map[book.xf_list[cell.xf_index].format_key].format_str
            return date(xlrd.xldate.xldate_as_datetime(cell.value, book.datemode), code)
        if cell.ctype in (xlrd.XL_CELL_TEXT, xlrd.XL_CELL_NUMBER):
            return cell.value
        return {"foreign": str(cell)}

    for sheet in book.sheets():
        yield sheet.name, ([told(cell) for cell in sheet.row(at)] for at in range(sheet.nrows))


def read_xlsx(path):
    import openpyxl
    from openpyxl.utils.escape import unescape

    # Read only, row by row: all cells at once would take gigabytes.
    book = openpyxl.load_workbook(path, read_only=True)

    def told(cell):
        if cell.value is None:
            return None
        if cell.data_type == "d":
            return date(cell.value, cell.number_format)
        if cell.data_type == "n":
            return cell.value
        # openpyxl leaves it to its callers to read _xHHHH_.
        return unescape(cell.value) if cell.data_type == "s" else {"foreign": str(cell.value)}

    for sheet in book.worksheets:
        yield sheet.title, ([told(cell) for cell in row] for row in sheet.iter_rows())


def date(value, code):
    text = value.isoformat(sep=" ")
    return {"date": text.removesuffix(" 00:00:00") if "h" not in code else text}


readers = {".csv": read_csv, ".zip": read_zip, ".json": read_json, ".xls": read_xls, ".xlsx": read_xlsx}

source, target = map(Path, sys.argv[1:])
with open(target, "w", encoding="ascii") as out:
    for name, rows in readers[source.suffix](source):
        print(json.dumps(name), file=out)
        for row in rows:
            print(json.dumps(row), file=out)
