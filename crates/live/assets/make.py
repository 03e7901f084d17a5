"""Makes the binary samples beside it. Standard library only; the same bytes on every machine with the same zlib."""

import os
import sqlite3
import struct
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
STAMP = (2024, 1, 15, 12, 0, 0)
ROWS = [
    ("id", "name", "city", "amount", "date"),
    (1, "Ada", "Lisbon", 120.50, "2024-01-15"),
    (2, "Bo", "Oslo", 75.00, "2024-02-03"),
    (3, "Chidi", "Lagos", 310.25, "2024-02-19"),
    (4, "Dana", "Prague", 42.10, "2024-03-07"),
    (5, "Emre", "Izmir", 89.99, "2024-03-30"),
]
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def put(name, data):
    with open(os.path.join(HERE, name), "wb") as out:
        out.write(data)


def pack(name, files):
    path = os.path.join(HERE, name)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for inner, text in files:
            info = zipfile.ZipInfo(inner, STAMP)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, text)


def png():
    size = 48
    rows = b""
    for y in range(size):
        rows += b"\0" + b"".join(
            bytes((40 + 4 * x, 90, 200 - 3 * y)) if (x - 24) ** 2 + (y - 24) ** 2 < 400 else b"\xff\xff\xff"
            for x in range(size)
        )

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    put(
        "image.png",
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""),
    )


def pdf():
    lines = ["Quarterly report", "Sales rose in Lisbon and Lagos.", "Oslo stayed level.", "Total amount: 637.84"]
    text = "BT /F1 18 Tf 72 740 Td 24 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
    second = "BT /F1 18 Tf 72 740 Td (Second page: outlook) Tj ET"
    page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 7 0 R >> >> /Contents {} 0 R >>"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
        page.format(5),
        page.format(6),
        f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
        f"<< /Length {len(second)} >>\nstream\n{second}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Title (Quarterly report) /Author (Sample Author) >>",
    ]
    out = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010} 00000 n \n".encode() for offset in offsets)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 8 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    put("report.pdf", out)


def relations(pairs):
    items = "".join(
        f'<Relationship Id="rId{n}" Type="{kind}" Target="{target}"/>' for n, (kind, target) in enumerate(pairs, 1)
    )
    return f'{XML}<Relationships xmlns="{PACKAGE}/relationships">{items}</Relationships>'


def types(parts):
    items = "".join(f'<Override PartName="{name}" ContentType="{kind}"/>' for name, kind in parts)
    return (
        f'{XML}<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{items}</Types>'
    )


def core(title):
    return (
        f'{XML}<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{title}</dc:title><dc:creator>Sample Author</dc:creator>"
        '<dcterms:created xsi:type="dcterms:W3CDTF">2024-01-15T12:00:00Z</dcterms:created>'
        '<dcterms:modified xsi:type="dcterms:W3CDTF">2024-01-15T12:00:00Z</dcterms:modified>'
        "</cp:coreProperties>"
    )


CORE = ("/docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml")
CORE_KIND = f"{PACKAGE}/relationships/metadata/core-properties"


def docx():
    ns = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml"

    def paragraph(text, style="Normal"):
        return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'

    cells = "".join(
        "<w:tr>" + "".join(f"<w:tc><w:tcPr><w:tcW w:w=\"2000\" w:type=\"dxa\"/></w:tcPr>{paragraph(str(c))}</w:tc>" for c in row) + "</w:tr>"
        for row in ROWS[:4]
    )
    grid = "<w:tblGrid>" + '<w:gridCol w:w="2000"/>' * 5 + "</w:tblGrid>"
    body = (
        paragraph("Letter", "Title")
        + paragraph("Dear Ines,")
        + paragraph("the quarterly figures are in the table below.")
        + paragraph("Figures", "Heading1")
        + f'<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/></w:tblPr>{grid}{cells}</w:tbl>'
        + paragraph("Kind regards, Sample Author")
        + '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" '
        'w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>'
    )

    def style(kind, name, title, extra=""):
        return f'<w:style w:type="{kind}" w:styleId="{name}"{extra}><w:name w:val="{title}"/></w:style>'

    default = ' w:default="1"'
    styles = (
        style("paragraph", "Normal", "Normal", default)
        + style("paragraph", "Title", "Title")
        + "".join(style("paragraph", f"Heading{n}", f"heading {n}") for n in range(1, 10))
        + style("paragraph", "ListBullet", "List Bullet")
        + style("paragraph", "ListNumber", "List Number")
        + style("character", "DefaultParagraphFont", "Default Paragraph Font", default)
        + style("table", "TableNormal", "Normal Table", default)
        + style("table", "TableGrid", "Table Grid")
    )
    pack(
        "letter.docx",
        [
            (
                "[Content_Types].xml",
                types([("/word/document.xml", f"{main}.document.main+xml"), ("/word/styles.xml", f"{main}.styles+xml"), CORE]),
            ),
            ("_rels/.rels", relations([(f"{OFFICE}/officeDocument", "word/document.xml"), (CORE_KIND, "docProps/core.xml")])),
            ("docProps/core.xml", core("Letter")),
            ("word/_rels/document.xml.rels", relations([(f"{OFFICE}/styles", "styles.xml")])),
            ("word/document.xml", f'{XML}<w:document xmlns:w="{ns}"><w:body>{body}</w:body></w:document>'),
            ("word/styles.xml", f'{XML}<w:styles xmlns:w="{ns}">{styles}</w:styles>'),
        ],
    )


def xlsx():
    ns = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    main = "application/vnd.openxmlformats-officedocument.spreadsheetml"

    def cell(value, column, row):
        at = f"{'ABCDE'[column]}{row}"
        if isinstance(value, str):
            return f'<c r="{at}" t="inlineStr"><is><t>{value}</t></is></c>'
        return f'<c r="{at}"><v>{value}</v></c>'

    rows = "".join(
        f'<row r="{n}">' + "".join(cell(v, c, n) for c, v in enumerate(row)) + "</row>" for n, row in enumerate(ROWS, 1)
    )
    styles = (
        '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        '<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
    )
    book = f'<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets>'
    pack(
        "table.xlsx",
        [
            (
                "[Content_Types].xml",
                types(
                    [
                        ("/xl/workbook.xml", f"{main}.sheet.main+xml"),
                        ("/xl/worksheets/sheet1.xml", f"{main}.worksheet+xml"),
                        ("/xl/styles.xml", f"{main}.styles+xml"),
                        CORE,
                    ]
                ),
            ),
            ("_rels/.rels", relations([(f"{OFFICE}/officeDocument", "xl/workbook.xml"), (CORE_KIND, "docProps/core.xml")])),
            ("docProps/core.xml", core("Table")),
            ("xl/_rels/workbook.xml.rels", relations([(f"{OFFICE}/worksheet", "worksheets/sheet1.xml"), (f"{OFFICE}/styles", "styles.xml")])),
            ("xl/workbook.xml", f'{XML}<workbook xmlns="{ns}" xmlns:r="{OFFICE}">{book}</workbook>'),
            ("xl/styles.xml", f'{XML}<styleSheet xmlns="{ns}">{styles}</styleSheet>'),
            ("xl/worksheets/sheet1.xml", f'{XML}<worksheet xmlns="{ns}"><dimension ref="A1:E6"/><sheetData>{rows}</sheetData></worksheet>'),
        ],
    )


def sqlite():
    path = os.path.join(HERE, "store.sqlite")
    if os.path.exists(path):
        os.remove(path)
    store = sqlite3.connect(path)
    store.execute("PRAGMA page_size = 1024")
    store.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT, created TEXT)")
    store.executemany(
        "INSERT INTO notes (title, body, created) VALUES (?, ?, ?)",
        [
            ("Plants", "Water the plants on Monday.", "2024-01-15"),
            ("Figures", "Ask Ines about the quarterly figures.", "2024-02-03"),
            ("Build", "The build on the second machine takes twelve minutes.", "2024-02-19"),
        ],
    )
    store.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, city TEXT, amount REAL, date TEXT)")
    store.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", ROWS[1:])
    store.commit()
    store.execute("VACUUM")
    store.close()


def archive():
    table = "\n".join(",".join(str(cell) for cell in row) for row in ROWS) + "\n"
    pack("archive.zip", [("readme.txt", "Two files about people.\n"), ("data/people.csv", table)])


if __name__ == "__main__":
    png()
    pdf()
    docx()
    xlsx()
    sqlite()
    archive()
