"""Files of the forms that people have, made by hand in the shape that programs give them."""

import base64
import io
import json
import zipfile

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

PAGE = "<!doctype html><html><head><title>Ann &amp; Co</title></head><body><p>Ann Lee, café</p>"


def single_file(page=PAGE, url="https://ann.example/me?a=1"):
    """A page with the comment of SingleFile."""
    comment = (
        f"<!--\n Page saved with SingleFile \n url: {url} \n saved date: Mon Nov 03 2025 "
        "10:00:00 GMT+0100 (Central European Standard Time)\n-->"
    )
    return page.replace("<html>", f"<html>{comment}", 1).encode()


def part(kind, body, encoding="8bit", location=""):
    """A part of an MHTML file whose body is encoded already."""
    place = f"Content-Location: {location}\r\n" if location else ""
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n{place}\r\n"
    return (head + body).encode()


def mhtml(*parts, url="https://ann.example/"):
    """An MHTML file as Chromium writes it."""
    head = (
        f"From: <Saved by Blink>\r\nSnapshot-Content-Location: {url}\r\n"
        "Date: Mon, 03 Nov 2025 09:00:00 -0000\r\nMIME-Version: 1.0\r\nContent-Type: "
        'multipart/related;\r\n\ttype="text/html";\r\n\tboundary="----Boundary--x----"\r\n\r\n'
    )
    mark = b"\r\n------Boundary--x----"
    return head.encode() + b"".join(mark + b"\r\n" + each for each in parts) + mark + b"--\r\n"


def pdf(*sheets, title=""):
    """A PDF file with a line of text on each sheet."""
    kids = " ".join(f"{3 + 2 * number} 0 R" for number in range(len(sheets)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>",
    ]
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    for number, text in enumerate(sheets):
        stream = f"BT /F1 12 Tf 50 700 Td ({text}) Tj ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {4 + 2 * number} 0 R "
            f"/Resources << /Font << /F1 {font} >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects.append(f"<< /Title ({title}) >>")
    data, places = "%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        places.append(len(data))
        data += f"{number} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return (
        f"{data}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n"
        f"<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\n"
        f"startxref\n{len(data)}\n%%EOF\n"
    ).encode()


def warc(*records, compressed=True):
    """A WARC by warcio; a record is an address, status, media type or headers, and content."""
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=compressed)
    writer.write_record(writer.create_warcinfo_record("a.warc", {"software": "made by hand"}))
    for url, status, kind, content in records:
        stated = [("Content-Type", kind)] if isinstance(kind, str) else kind
        headers = StatusAndHeaders(str(status), stated, protocol="HTTP/1.1")
        head = headers.to_bytes()
        made = writer.create_warc_record(
            url,
            "response",
            payload=io.BytesIO(head + content),
            length=len(head + content),
            warc_headers_dict={"WARC-Date": "2026-11-03T09:00:00Z"},
        )
        writer.write_record(made)
    return out.getvalue()


def har(*exchanges, destination="document", headers=()):
    """A HAR file in Chromium's shape; an exchange is as a record of ``warc``."""
    stated = [{"name": name, "value": value} for name, value in headers]
    entries = [
        {
            "startedDateTime": "2026-11-03T09:00:00.000Z",
            "_resourceType": "document",
            "request": {
                "method": "GET",
                "url": url,
                "headers": [{"name": "Sec-Fetch-Dest", "value": destination}],
            },
            "response": {
                "status": status,
                "headers": stated,
                "content": {
                    "size": len(content),
                    "mimeType": kind,
                    "text": base64.b64encode(content).decode(),
                    "encoding": "base64",
                },
            },
        }
        for url, status, kind, content in exchanges
    ]
    return json.dumps({"log": {"version": "1.2", "entries": entries}}).encode()


def zipped(files, compression=zipfile.ZIP_DEFLATED):
    """A ZIP archive of names and contents."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name)  # without the time, so that names of tests are equal
            archive.writestr(member, content, compression)
    return out.getvalue()


def word(*paragraphs):
    """A Word document."""
    main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    text = "".join(f"<w:p><w:r><w:t>{each}</w:t></w:r></w:p>" for each in paragraphs)
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{types}"><Override '
            f'PartName="/word/document.xml" ContentType="{kind}"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{relations}"><Relationship Id="a" '
            f'Type="{relation}" Target="word/document.xml"/></Relationships>',
            "word/document.xml": f'<w:document xmlns:w="{main}"><w:body>{text}</w:body>'
            "</w:document>",
        }
    )


def rich_text(*paragraphs):
    """A rich text file."""
    return ("{\\rtf1 " + "".join(rf"{each}\par " for each in paragraphs) + "}").encode()


def sheet(*texts):
    """An Excel workbook with a row for each text."""
    known = list(dict.fromkeys(texts))
    rows = (f'<row><c t="s"><v>{known.index(each)}</v></c></row>' for each in texts)
    shared = (f"<si><r><t>{each[:2]}</t></r><r><t>{each[2:]}</t></r></si>" for each in known)
    return zipped(
        {
            "xl/sharedStrings.xml": f"<sst>{''.join(shared)}</sst>",
            "xl/worksheets/sheet1.xml": f"<worksheet>{''.join(rows)}</worksheet>",
        }
    )


def opendocument(*paragraphs, title=""):
    """An OpenDocument text."""
    names = "urn:oasis:names:tc:opendocument:xmlns"
    kind = "application/vnd.oasis.opendocument.text"
    spaces = f'xmlns:office="{names}:office:1.0" xmlns:text="{names}:text:1.0" '
    text = "".join(f"<text:p>{each}</text:p>" for each in paragraphs)
    stated = f'<dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">{title}</dc:title>'
    return zipped(
        {
            "mimetype": kind,
            "content.xml": f"<office:document-content {spaces}><office:body><office:text>{text}"
            "</office:text></office:body></office:document-content>",
            "meta.xml": f"<office:document-meta {spaces}><office:meta>{stated}</office:meta>"
            "</office:document-meta>",
            "META-INF/manifest.xml": f'<m:manifest xmlns:m="{names}:manifest:1.0">'
            f'<m:file-entry m:full-path="/" m:media-type="{kind}"/></m:manifest>',
        },
        zipfile.ZIP_STORED,
    )
