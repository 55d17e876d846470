"""A report as one HTML page that refers to nothing outside itself."""

from __future__ import annotations

import base64
from functools import singledispatch
from html import escape

from rednova.report.parts import Code, Movie, Paragraph, Part, Picture, Report, Section, Table

STYLE = """
body { font-family: sans-serif; line-height: 1.4; margin: 2em auto; max-width: 62em; padding: 0 1em; color: #1a202c }
h1 { margin-bottom: 0 } h2 { border-bottom: 1px solid #cbd5e0; margin-top: 2em }
nav a { margin-right: 1em; white-space: nowrap }
figure { margin: 1em 0 } img, video { max-width: 100% } figcaption { color: #4a5568; font-size: 0.9em }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: 0.9em; margin: 1em 0 }
td, th { padding: 0.15em 0.8em; text-align: right; border-bottom: 1px solid #edf2f7; white-space: nowrap }
.pairs td { white-space: normal; overflow-wrap: anywhere }
td:first-child, th:first-child, .pairs td, .pairs th { text-align: left }
pre { background: #f7fafc; padding: 0.8em; white-space: pre-wrap; overflow-wrap: anywhere }
@media print {
  body { margin: 0; max-width: none; font-size: 9pt } nav { display: none }
  h2 { break-after: avoid } figure, tr { break-inside: avoid } table { font-size: 7pt }
  td, th { padding: 0.1em 0.4em; white-space: normal } video { display: none }
  pre { background: none; border: 1px solid #cbd5e0 } .wide { overflow-x: visible }
}
"""


@singledispatch
def html_of(part: Part) -> str:
    """A part of a section as HTML."""
    raise TypeError(f"{type(part).__name__} is no part of a report")


@html_of.register
def _(part: Paragraph) -> str:
    return f"<p>{escape(part.text)}</p>"


@html_of.register
def _(part: Code) -> str:
    return f"<pre>{escape(part.text)}</pre>"


@html_of.register
def _(part: Table) -> str:
    def row(cells, tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(text)}</{tag}>" for text in cells) + "</tr>"

    body = "\n".join(row(cells, "td") for cells in part.rows)
    head = row(part.headings, "th")
    kind = ' class="pairs"' if len(part.headings) == 2 else ""
    return f'<div class="wide"><table{kind}>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody></table></div>'


@html_of.register
def _(part: Picture) -> str:
    data = base64.b64encode(part.png).decode()
    caption = escape(part.caption)
    image = f'<img alt="{caption}" src="data:image/png;base64,{data}">'
    return f"<figure>{image}<figcaption>{caption}</figcaption></figure>"


@html_of.register
def _(part: Movie) -> str:
    data = base64.b64encode(part.mp4).decode()
    video = f'<video controls loop muted playsinline src="data:video/mp4;base64,{data}"></video>'
    return f"<figure>{video}<figcaption>{escape(part.caption)}</figcaption></figure>"


def section_html(number: int, section: Section) -> str:
    parts = "\n".join(html_of(part) for part in section.parts)
    return f'<section id="part{number}">\n<h2>{escape(section.title)}</h2>\n{parts}\n</section>'


def page(report: Report) -> str:
    """The page as text."""
    numbered = list(enumerate(report.sections, 1))
    links = "\n".join(f'<a href="#part{n}">{escape(section.title)}</a>' for n, section in numbered)
    sections = "\n".join(section_html(n, section) for n, section in numbered)
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(report.title)}</title>
<style>{STYLE}</style></head>
<body>
<h1>{escape(report.title)}</h1>
<p>{escape(report.summary)}</p>
<nav>
{links}
</nav>
{sections}
</body></html>
"""
