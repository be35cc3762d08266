from __future__ import annotations

from pathlib import Path

import pytest
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from tacit.web import gate
from tacit.web.app import create_app
from tacit.web.gate import HEADERS, Keys
from tests.web.site import PORT, Browser, browser

NAME = "0123456789abcdef"
BASE = f"http://{NAME}.localhost:{PORT}"


@pytest.fixture
def client(tmp_path: Path) -> Browser:
    return browser(tmp_path, name=NAME)


def stranger(client: Browser) -> TestClient:
    return TestClient(client.app, base_url=BASE, follow_redirects=False)


def routes(client: Browser) -> list[Route]:
    inner = client.app.app  # type: ignore[attr-defined]
    return [route for route in inner.routes if isinstance(route, Route)]


def paths(client: Browser, method: str) -> list[str]:
    return [route.path for route in routes(client) if method in (route.methods or ())]


def test_there_are_pages_and_actions_to_test(client: Browser) -> None:
    assert len(paths(client, "GET")) >= 12
    assert len(paths(client, "POST")) >= 14
    inner = client.app.app  # type: ignore[attr-defined]
    assert [r.path for r in inner.routes if isinstance(r, Mount)] == ["/static"]


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8477",
        "127.0.0.1",
        "127.0.0.1:8477",
        "localhost:8477",
        "[::1]:8477",
        "other.localhost:8477",
        f"{NAME}.localhost:8478",
        f"x.{NAME}.localhost:8477",
        "127.0.0.1:8478",
        "127.0.0.1.evil.example:8477",
        "0.0.0.0:8477",
    ],
)
def test_a_foreign_host_gets_nothing_anywhere(client: Browser, host: str) -> None:
    for path in [*paths(client, "GET"), "/static/tacit.css", f"/?token={client.keys.token}"]:
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 421, path
        assert "set-cookie" not in answer.headers


def test_its_own_name_is_random_at_each_start(client: Browser) -> None:
    assert client.get("/people").status_code == 200
    one, two = Keys(port=1), Keys(port=1)
    assert one.name != two.name
    assert len(one.name) == 32  # 128 bits
    assert one.address.startswith(f"http://{one.name}.localhost:1/?token=")


def test_a_plain_page_is_at_127_0_0_1_only(tmp_path: Path) -> None:
    client = browser(tmp_path)
    assert client.get("/people", headers={"Host": f"127.0.0.1:{PORT}"}).status_code == 200
    assert client.get("/people", headers={"Host": f"localhost:{PORT}"}).status_code == 421


def test_without_a_session_there_is_nothing(client: Browser) -> None:
    for path in paths(client, "GET"):
        answer = stranger(client).get(path)
        assert answer.status_code == 403, path
        assert client.keys.form not in answer.text
    for path in paths(client, "POST"):
        data = {"form_key": client.keys.form}
        assert stranger(client).post(path, data=data, headers={"Origin": BASE}).status_code == 403, path


@pytest.mark.parametrize("token", ["", "x", "é"])
def test_a_wrong_token_does_not_open_it(client: Browser, token: str) -> None:
    answer = stranger(client).get("/", params={"token": token})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_the_token_is_swapped_for_a_cookie_and_leaves_the_address(client: Browser) -> None:
    answer = stranger(client).get(f"/?token={client.keys.token}")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"tacit_{PORT}=")
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert client.keys.token not in cookie
    again = client.get(
        f"/?token={client.keys.token}"
    )  # Signed in already: it leaves the address all the same.
    assert again.status_code == 200
    assert "token" not in str(again.url)


def test_secrets_are_long_and_new_at_each_start() -> None:
    one, two = Keys(port=1), Keys(port=1)
    secrets = {one.token, one.session, one.form, two.token, two.session, two.form}
    assert len(secrets) == 6
    assert all(len(secret) >= 43 for secret in secrets)  # 256 bits


@pytest.mark.parametrize("cookie", ["", "x", "tacit_8477=", "tacit_8477=x", "tacit_8478=SESSION", "a=b; ="])
def test_a_wrong_cookie_does_not_open_it(client: Browser, cookie: str) -> None:
    given = cookie.replace("SESSION", client.keys.session)
    assert stranger(client).get("/people", headers={"Cookie": given}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": f"https://127.0.0.1:{PORT}"},
        {"Origin": f"http://localhost:{PORT}"},
        {"Origin": f"http://127.0.0.1:{PORT}"},
        {"Origin": f"http://{NAME}.localhost:9999"},
        {"Origin": BASE, "Sec-Fetch-Site": "cross-site"},
        {"Origin": BASE, "Sec-Fetch-Site": "same-site"},
    ],
)
def test_what_other_pages_send_changes_nothing(client: Browser, headers: dict[str, str]) -> None:
    for path in paths(client, "POST"):
        answer = client.post(path, data={"form_key": client.keys.form, "paused": "yes"}, headers=headers)
        assert answer.status_code == 403, path
    assert client.service.sharing().paused is False


@pytest.mark.parametrize("key", ["", "x"])
def test_a_form_without_the_pages_key_changes_nothing(client: Browser, key: str) -> None:
    for path in paths(client, "POST"):
        answer = client.post(path, data={"form_key": key, "paused": "yes"}, headers={"Origin": BASE})
        assert answer.status_code == 403, path
    assert client.service.sharing().paused is False


def test_looking_changes_nothing(client: Browser) -> None:
    client.submit("/add", kind="film", title="Night Ferry", more="2010", value="4")
    before = client.service.store.path.read_bytes(), client.service.store.changes(), client.service.ratings()
    settings = client.service.store.read("SELECT * FROM settings ORDER BY name")
    for path in paths(client, "GET"):
        assert client.get(path).status_code == 200, path
    assert client.service.store.read("SELECT * FROM settings ORDER BY name") == settings
    assert client.service.ratings() == before[2]
    for path in paths(client, "POST"):
        if path not in paths(client, "GET"):
            assert client.get(path).status_code in (404, 405), path


def test_every_answer_is_locked_down(client: Browser) -> None:
    answers = [client.get(path) for path in [*paths(client, "GET"), "/static/tacit.js", "/nothing"]]
    answers += [client.get("/", headers={"Host": "evil.example"}), stranger(client).get("/")]
    answers += [
        client.post("/pause", headers={"Origin": "null"}),
        client.put("/pause", headers={"Origin": BASE}),
    ]
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, answer.url
        assert not any(name.lower().startswith("access-control") for name in answer.headers)
    assert "default-src 'none'" in HEADERS["Content-Security-Policy"]
    assert "unsafe" not in HEADERS["Content-Security-Policy"]
    assert HEADERS["Cache-Control"] == "no-store"


def test_a_crash_is_locked_down_too_and_tells_no_secret(tmp_path: Path) -> None:
    client = browser(tmp_path, name=NAME)

    def broken() -> None:
        raise RuntimeError("Secret Film")

    client.service.peers = broken  # type: ignore[method-assign, assignment]
    quiet = TestClient(client.app, base_url=BASE, raise_server_exceptions=False, cookies=client.cookies)
    answer = quiet.get("/sharing")
    assert answer.status_code == 500
    assert "Secret" not in answer.text
    assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]


def test_too_much_is_not_read(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "MAX_BODY", 1000)
    big = {"file": ("big.csv", b"item\n" + b"1\n" * 2000)}
    assert client.submit("/data/read", files=big).status_code == 413

    def endless():  # type: ignore[no-untyped-def]
        for _ in range(100):
            yield b"x" * 100

    headers = {"Origin": BASE, "Content-Type": "application/x-www-form-urlencoded"}
    assert client.post("/pause", content=endless(), headers=headers).status_code == 413


def test_two_pages_do_not_share_a_cookie(tmp_path: Path, client: Browser) -> None:
    other = Keys(port=PORT + 1)
    assert other.cookie != client.keys.cookie
    assert create_app(client.service, other) is not client.app
