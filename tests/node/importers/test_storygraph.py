from __future__ import annotations

from tests.node.importers.exports import by_key, plain, read

TODAY = (
    "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,"
    "Pace,Character- or Plot-Driven?,Strong Character Development?,Loveable Characters?,Diverse Characters?,"
    "Flawed Characters?,Star Rating,Review,Content Warnings,Content Warning Description,Tags,Owned?\n"
    'Paper Boats,"Ada Okafor, Ben Ruiz",,9780000000000,print,read,2022/01/01,2022/02/03,2022/01/02-2022/02/03,1,'
    ",,,,,,,3.75,secret,,,,No\n"
    "Too Long,Ada Okafor,,B000000000,digital,did-not-finish,2022/01/01,,,1,,,,,,,,,,,,,No\n"
    "Later,Ada Okafor,,,digital,to-read,2022/01/01,,,0,,,,,,,,,,,,,No\n"
)
IN_2021 = "Title,Author,ISBN,Format,Read Status,Star Rating,Review\nPaper Boats,Ada Okafor,1,print,read,3.75,secret\n"


def test_today() -> None:
    found = read(plain(TODAY))
    assert found.format == "storygraph"
    assert by_key(found) == {
        "book:t:paper boats:okafor": ("rating", 3.75),
        "book:t:too long:okafor": ("dropped", None),
        "book:t:later:okafor": ("want", None),
    }
    assert found.parsed[0].time == 1643846400  # 2022-02-03
    assert "secret" not in repr(found)


def test_2021() -> None:
    assert by_key(read(plain(IN_2021))) == {"book:t:paper boats:okafor": ("rating", 3.75)}
