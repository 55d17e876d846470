"""What the tests of rednova-report look at: the page's tables, the texts of the PDF."""

import json
import re
import subprocess
from html.parser import HTMLParser
from types import SimpleNamespace
from unittest import mock

import matplotlib as mpl
import rednova
from rednova import report
from rednova.pictures import STYLE


class Page(HTMLParser):
    """Headings, tables (rows of texts), code and links of a page, whose tags must be closed in their order."""

    EMPTY = ("meta", "img")

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes = [], set(), []
        self.headings, self.tables, self.code, self.words = [], [], [], ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in self.EMPTY:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("h2", "pre", "td", "th"):
            {"h2": self.headings, "pre": self.code}.get(tag, self.tables and self.tables[-1][-1]).append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data
        if self.open and self.open[-1] in ("h2", "pre", "td", "th"):
            {"h2": self.headings, "pre": self.code}.get(self.open[-1], self.tables and self.tables[-1][-1])[
                -1
            ] += data

    def row(self, name, heading=""):
        """The only row that begins with a text, without that; of tables with a heading."""
        tables = (table for table in self.tables if not heading or heading in table[0])
        (found,) = (row for table in tables for row in table if row[0] == name)
        return found[1:]

    def column(self, heading):
        """The cells below the only heading of this name."""
        (found,) = (table for table in self.tables if heading in table[0])
        return [row[found[0].index(heading)] for row in found[1:]]


def text_of_pdf(path):
    """The texts of an uncompressed PDF, one drawn line each. Letters have a byte or two, by matplotlib's version."""
    lines = []
    for block in re.findall(rb"BT\n(.*?)ET\n", path.read_bytes(), re.DOTALL):
        pieces = re.findall(rb"\(((?:\\.|[^\\)])*)\)", block, re.DOTALL)
        whole = re.sub(rb"\\(.)", rb"\1", b"".join(pieces).replace(b"\0", b""), flags=re.DOTALL)
        lines.append(whole.decode("latin-1"))
    return lines


def report_on(run, out):
    """What the command writes on a run, by --out."""
    # Pictures of few pixels are made sooner.
    with mpl.rc_context({"pdf.compression": 0}), mock.patch.dict(STYLE, {"figure.dpi": 50}):
        assert report.main([str(run), "--out", str(out / "page.html")]) == 0
    assert sorted(p.name for p in out.iterdir()) == ["page.html", "page.pdf"]
    return SimpleNamespace(
        run=run,
        text=(out / "page.html").read_text(),
        page=Page((out / "page.html").read_text()),
        pdf=text_of_pdf(out / "page.pdf"),
        history=rednova.Run(run).history,
        ledger=json.loads((run / "ledger.json").read_text()),
    )


def execute(*command, **options):
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=120, check=False, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
