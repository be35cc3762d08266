"""Whatever is typed into a form or an address: a page comes back, never a crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.site import Browser, browser
from tests.web.test_gate import paths

FIELDS = (
    "key",
    "value",
    "title",
    "kind",
    "more",
    "q",
    "person",
    "percent",
    "paused",
    "map",
    "format",
    "keep",
)
FIELDS += ("source", "sure", "ticket", "peer", "open", "file", "stars", "number", "back", "part")
FIELDS += ("circle", "name", "link", "join", "rule", "item", "named", "member")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    [
        "yes",
        "no",
        "none",
        "film",
        "book",
        "csv:1",
        "film:t:night ferry:2010",
        "5",
        "1e999",
        "-0",
        "card",
        "all",
        "\0",
    ]
)


@pytest.fixture(scope="module", params=[False, True])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Browser:
    folder: Path = tmp_path_factory.mktemp("noise")
    return browser(folder, alone=request.param)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.data())
def test_noise_in_forms(client: Browser, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(paths(client, "POST"))))
    fields = data.draw(st.dictionaries(st.sampled_from(FIELDS), TEXTS, max_size=6))
    answer = client.submit(path, **fields)
    assert answer.status_code == 200 or (answer.status_code == 422 and "part" in fields)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.data())
def test_noise_in_addresses(client: Browser, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(paths(client, "GET"))))
    params = data.draw(
        st.dictionaries(
            st.sampled_from(
                [
                    "q",
                    "person",
                    "from",
                    "kind",
                    "first",
                    "last",
                    "n",
                    "skip",
                    "sort",
                    "show",
                    "new",
                    "seen",
                    "x",
                ]
            ),
            TEXTS,
            max_size=3,
        )
    )
    assert client.get(path, params=params).status_code == 200
