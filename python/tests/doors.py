"""doors.py: small files, and what every door of utf8ext says of them.

test_doors.py takes them through the command, and test/wasm/doors.test.mjs through the page, for which
`python3 doors.py` prints them as JSON.
"""

from __future__ import annotations

import json
from typing import NamedTuple, Optional

FRENCH = "id,nom,ville\n1,Élève à l’école,Besançon\n2,Où ça ? Déjà payé,Orléans\n3,Œuvre complète,Angoulême\n"
GERMAN = "id,name,ort\n1,Jürgen Groß,Köln\n2,Björn Müller,Düsseldorf\n3,Käthe Schäfer,Würzburg\n"
RUSSIAN = "id,имя,город\n1,Иван Петров,Москва\n2,Анна Кузнецова,Екатеринбург\n3,Пётр Сидоров,Казань\n"
GREEK = "id,όνομα,πόλη\n1,Γιώργος Παπαδόπουλος,Αθήνα\n2,Μαρία Νικολάου,Θεσσαλονίκη\n"
CZECH = "id,jméno,město\n1,Příliš žluťoučký kůň,Plzeň\n2,Jiří Dvořák,České Budějovice\n3,Zdeněk Šťastný,Děčín\n"
POLISH = "id,imię,miasto\n1,Łukasz Wiśniewski,Łódź\n2,Żaneta Dąbrowska,Kraków\n3,Małgorzata Wójcik,Gdańsk\n"
TURKISH = "id,ad,şehir\n1,Ayşe Yılmaz,İstanbul\n2,Çağlar Öztürk,Muğla\n3,Işıl Şahin,Eskişehir\n"
HEBREW = "id,שם,עיר\n1,דוד כהן,ירושלים\n2,שרה לוי,תל אביב\n"
ARABIC = "id,الاسم,المدينة\n1,محمد علي,القاهرة\n2,فاطمة حسن,الإسكندرية\n"
CHINESE = "编号,姓名,城市\n1,张伟先生,北京市朝阳区\n2,王芳女士,上海市浦东新区\n3,李娜,广州市天河区\n"
JAPANESE = "番号,名前,住所\n1,田中さくら,東京都渋谷区のお店\n2,山田太郎,大阪市北区梅田\n"
KOREAN = "번호,이름,도시\n1,김철수 선생님,서울특별시 강남구\n2,이영희 부장님,부산광역시 해운대구\n"
ASCII = "id,name,city\n1,Anna,Berlin\n2,Bob,Paris\n"

NAMES = "name,city,place\nAndré Lefèvre,Nîmes,Besançon\nAnna,Berlin,Köln\n"
QUOTED = 'name,city\n"Lefèvre, André ""Dédé""","Nîmes"\n'

PLAIN = "id,name,city\n1,Zoë,Genève\n2,José,Córdoba\n3,François,Besançon\n4,Anna,Berlin\n"


class File(NamedTuple):
    """A file, and what all doors say of it."""

    name: str
    data: bytes
    text: Optional[str]  # what it says; None if every door refuses it
    label: str = ""  # '' if only the text is known: several charsets have the same letters
    kept: Optional[str] = None  # the text where misread text is kept
    unclear: bool = False  # has it lines that stay as they are?


def misread(text: str, charset: str = "cp1252") -> str:
    return text.encode().decode(charset)


def line(text: str, number: int, new: bytes, encoding: str = "utf-8") -> bytes:
    """Return a text with other bytes in one of its lines."""
    lines = text.encode(encoding).split(b"\n")
    lines[number] = new
    return b"\n".join(lines)


def _files() -> list[File]:
    once = PLAIN.replace("Zoë,Genève", misread("Zoë,Genève")).replace("José", misread("José"))
    by_line = NAMES.replace("André Lefèvre,Nîmes", misread("André Lefèvre,Nîmes"))
    quoted = misread(QUOTED)
    chinese = CHINESE + "4,孙丽,深圳市南山区\n" * 200  # more than a value that is read as a whole
    by_field = chinese.replace("北京市朝阳区", misread("北京市朝阳区", "gbk"))
    twice = PLAIN.replace("Zoë,Genève", misread(misread("Zoë,Genève")))
    return [
        File("ascii", ASCII.encode(), ASCII, "ascii"),
        File("ascii, one line without an end", b"id,name", "id,name", "ascii"),
        File("ascii, semicolons", ASCII.replace(",", ";").encode(), ASCII.replace(",", ";"), "ascii"),
        File("ascii, tabs", ASCII.replace(",", "\t").encode(), ASCII.replace(",", "\t"), "ascii"),
        File("ascii, CR LF", ASCII.replace("\n", "\r\n").encode(), ASCII.replace("\n", "\r\n"), "ascii"),
        *(
            File(f"utf-8, {name}", text.encode(), text, "utf-8")
            for name, text in {
                "French": FRENCH,
                "Russian": RUSSIAN,
                "Chinese": CHINESE,
                "Arabic": ARABIC,
                "Hebrew": HEBREW,
                "Greek": GREEK,
                "Korean": KOREAN,
            }.items()
        ),
        File("utf-8 with a mark", b"\xef\xbb\xbf" + GERMAN.encode(), GERMAN, "utf-8-bom"),
        File("utf-8, semicolons", GERMAN.replace(",", ";").encode(), GERMAN.replace(",", ";"), "utf-8"),
        File("utf-8, CR only", FRENCH.replace("\n", "\r").encode(), FRENCH.replace("\n", "\r"), "utf-8"),
        File("utf-16 with a mark", RUSSIAN.encode("utf-16"), RUSSIAN, "utf-16"),
        File("utf-16 without a mark", GERMAN.encode("utf-16-le"), GERMAN, "utf-16le"),
        File("utf-16, big-endian", GERMAN.encode("utf-16-be"), GERMAN, "utf-16be"),
        File("utf-16, tabs", GERMAN.replace(",", "\t").encode("utf-16"), GERMAN.replace(",", "\t"), "utf-16"),
        File("utf-16, Chinese", CHINESE.encode("utf-16"), CHINESE, "utf-16"),
        File("utf-32", FRENCH.encode("utf-32"), FRENCH, "utf-32"),
        *(
            File(f"{charset}, {name}", text.encode(charset), text, label)
            for charset, name, text, label in [
                ("cp1252", "French", FRENCH, "windows-1252"),
                ("cp1252", "German", GERMAN, ""),
                ("latin-1", "German", GERMAN, ""),
                ("cp1251", "Russian", RUSSIAN, "windows-1251"),
                ("koi8-r", "Russian", RUSSIAN, "koi8-r"),
                ("cp866", "Russian", RUSSIAN, "ibm866"),
                ("iso8859-5", "Russian", RUSSIAN, "iso-8859-5"),
                ("cp1253", "Greek", GREEK, ""),
                ("cp1250", "Czech", CZECH, "windows-1250"),
                ("iso8859-2", "Czech", CZECH, "iso-8859-2"),
                ("cp1250", "Polish", POLISH, "windows-1250"),
                ("cp1254", "Turkish", TURKISH, ""),
                ("cp1255", "Hebrew", HEBREW, ""),
                ("cp1256", "Arabic", ARABIC, "windows-1256"),
                ("gbk", "Chinese", CHINESE, ""),
                ("big5", "Chinese", "編號,姓名\n1,張偉先生在臺北市\n2,王芳女士在高雄市\n", "big5"),
                ("shift_jis", "Japanese", JAPANESE, "shift_jis"),
                ("euc-jp", "Japanese", JAPANESE, "euc-jp"),
                ("iso2022-jp", "Japanese", JAPANESE, "iso-2022-jp"),
                ("euc-kr", "Korean", KOREAN, ""),
                ("mac-roman", "French", FRENCH, "macintosh"),
            ]
        ),
        File("windows-1252, CR only", FRENCH.replace("\n", "\r").encode("cp1252"), FRENCH.replace("\n", "\r"), "windows-1252"),
        File("misread once", once.encode(), PLAIN, "utf-8, 2 lines misread in windows-1252", once),
        File("misread twice", twice.encode(), PLAIN, "utf-8, 1 line misread in windows-1252", twice),
        File("misread, with a mark", b"\xef\xbb\xbf" + once.encode(), PLAIN,
             "utf-8-bom, 2 lines misread in windows-1252", once),
        File("misread, utf-16 with a mark", once.encode("utf-16"), PLAIN, "utf-16, 2 lines misread in windows-1252", once),
        File("misread, utf-16 without a mark", once.encode("utf-16-le"), PLAIN,
             "utf-16le, 2 lines misread in windows-1252", once),
        File("misread, utf-32", once.encode("utf-32"), PLAIN, "utf-32, 2 lines misread in windows-1252", once),
        File("misread as the line shows", by_line.encode(), NAMES, "utf-8, 1 line misread in windows-1252", by_line),
        File("misread as the line shows, quoted", quoted.encode(), QUOTED, "utf-8, 1 line misread in windows-1252", quoted),
        File("misread in gbk beside clean Chinese", by_field.encode(), chinese, "utf-8, 1 line misread in gbk", by_field),
        File("misread in the line of its mark", b"\xef\xbb\xbf" + misread("id,Zoë,Genève\n").encode() + b"1,a,b\n",
             "id,Zoë,Genève\n1,a,b\n", "utf-8-bom, 1 line misread in windows-1252", misread("id,Zoë,Genève\n") + "1,a,b\n"),
        File("lines of windows-1252", line(FRENCH, 2, "2,Où ça ? Déjà payé,Orléans".encode("cp1252")), FRENCH,
             "utf-8, 1 line in windows-1252"),
        File("a line of windows-1251", line(RUSSIAN, 2, "2,Анна Кузнецова,Екатеринбург".encode("cp1251")),
             RUSSIAN, "utf-8, 1 line in windows-1251"),
        File("misread and windows-1252",
             line(FRENCH.replace("Élève", misread("Élève", "latin-1")), 2, "2,Où ça ? Déjà payé,Orléans".encode("cp1252")),
             FRENCH, "utf-8, 1 line misread in iso-8859-1, 1 line in windows-1252",
             FRENCH.replace("Élève", misread("Élève", "latin-1"))),
        File("cesu-8", FRENCH.replace("Œuvre", "😀 Œuvre").encode().replace("😀".encode(), b"\xed\xa0\xbd\xed\xb8\x80"),
             FRENCH.replace("Œuvre", "😀 Œuvre"), "utf-8, 1 line in cesu-8"),
        File("overlong", ASCII.encode() + b"3,..\xc0\xafetc,x\n", ASCII + "3,..��etc,x\n", "utf-8, 1 line overlong"),
        File("damaged", FRENCH.encode().replace("ê".encode(), b"\xc3"), FRENCH.replace("ê", "�"),
             "utf-8, 1 line damaged"),
        File("cut", RUSSIAN.encode()[:-2], RUSSIAN[:-2] + "�", "utf-8, 1 line cut"),
        File("unclear", ASCII.encode() + b"3,B2\xe9,x\n", None, "utf-8, 1 line unclear", unclear=True),
        File("utf-16 with utf-8 appended", GERMAN.encode("utf-16") + "4,Zoë,Zürich im Süden und Bern\n".encode(),
             GERMAN + "4,Zoë,Zürich im Süden und Bern\n", "utf-16le, utf-8 from line 5"),
        File("utf-8 with utf-16 appended", GERMAN.encode() + FRENCH.encode("utf-16"), GERMAN + FRENCH,
             "utf-8, utf-16le from line 5"),
        File("utf-8 with utf-16 appended, short", b"id,x\n1,a\n" + "3,Zoë\n".encode("utf-16"), "id,x\n1,a\n3,Zoë\n",
             "utf-8, utf-16le from line 3"),
        File("utf-8 with a mark in the middle", GERMAN.encode() + b"\xef\xbb\xbf" + FRENCH.encode(), GERMAN + FRENCH,
             "utf-8, utf-8-bom from line 5"),
        File("NULs", ASCII.replace("Bob", "B\0b").encode(), ASCII.replace("Bob", "B\0b"), "ascii"),
        File("binary", bytes(range(256)) * 4, None, "binary"),
        File("EBCDIC, records of fixed length", 20 * f"{'007 MUELLER':40}{'HANS':30}HAMBURG   ".encode("cp500"), None, "binary"),
        File("EBCDIC, lines", 20 * "id,name: Hans Müller, Köln\x85".encode("cp037"), None, "binary"),
        File("a PDF document", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\n", None, "binary"),
        File("a picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(64)), None, "binary"),
        File("a 7-Zip archive", b"7z\xbc\xaf\x27\x1c\0\x04" + bytes(range(100, 200)), None, "binary"),
        File("an office document", b"PK\x03\x04\x14\0\6\0[Content_Types].xml" + bytes(64), None, "binary"),
        File("empty", b"", "", "ascii"),
    ]


FILES = _files()

if __name__ == "__main__":
    print(json.dumps([{**file._asdict(), "data": file.data.hex()} for file in FILES]))
