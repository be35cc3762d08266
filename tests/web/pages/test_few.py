from __future__ import annotations

import re
from pathlib import Path

from tests.web.invented import invented_start
from tests.web.site import Real, browser


def test_twelve_titles_then_twelve_others_until_there_are_no_more(tmp_path: Path) -> None:
    client = browser(tmp_path, alone=True, service=Real)
    client.service.suggestions.set_start(invented_start())
    seen: list[str] = []
    for skip in range(2):
        keys = re.findall(r'<li data-part="few" data-says="(.*?):', client.get(f"/few?skip={skip}").text)
        assert len(keys) == 12
        seen += keys
    assert len(set(seen)) == 24
    assert "You have seen all of them" in client.text("/few?skip=9")


def test_one_answer_marks_its_button_and_pressing_it_again_takes_it_back(tmp_path: Path) -> None:
    client = browser(tmp_path, alone=True, service=Real)
    client.service.suggestions.set_start(invented_start())
    item = client.service.suggestions.well_known(1)[0]
    for value, label in (("liked", "Liked it"), ("3", "It was fine"), ("no", "Not for me")):
        part = client.submit("/rate", key=item.key, title=item.title, value=value, part="few").text
        assert part.count('aria-pressed="true"') == 1
        assert re.search(rf'value="none" aria-pressed="true"[^>]*>{label}<', part)
    client.submit("/rate", key=item.key, title=item.title, value="none", part="few")
    assert client.service.ratings() == []


def test_without_a_start_it_says_where_titles_come_from(tmp_path: Path) -> None:
    assert "tacit node learn" in browser(tmp_path, alone=True, service=Real).text("/few")
