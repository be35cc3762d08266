"""The page over a node that really learns: what is shown is what the service says."""

from __future__ import annotations

from pathlib import Path

from starlette.testclient import TestClient

from tacit.node import first_setup
from tacit.node.agent import Agent
from tacit.node.peer_compatibility import rules_of
from tacit.node.service import Service
from tacit.web.app import create_app
from tacit.web.gate import Keys
from tests.web.site import BASE, PORT, words

CSV = "item,title,year,rating\n" + "".join(
    f"{i},Film {i},{1990 + i},{5 if i % 2 else 2}\n" for i in range(12)
)


def test_import_preview_and_recommendations(tmp_path: Path) -> None:
    first_setup.create(tmp_path / "home", model="mf")
    service, keys = Service(tmp_path / "home"), Keys(port=PORT, name="")
    client = TestClient(create_app(service, keys), base_url=BASE)
    form = {"form_key": keys.form}
    client.get(f"/?token={keys.token}")
    client.post(
        "/welcome/read", data=form, files={"file": ("mine.csv", CSV.encode())}, headers={"Origin": BASE}
    )
    page = client.post("/welcome/keep", data={**form, "keep": "yes"}, headers={"Origin": BASE})
    assert "You have 12 ratings, and tacit knows no other title yet." in words(page.text)
    page = client.get("/sharing")
    assert "with numbers for 12 items; 12 of them you rated, 0 you did not." in words(page.text)
    assert words(page.text).count(" yes ") == 12
    client.post("/sharing", data={**form, "percent": "0"}, headers={"Origin": BASE})
    assert "with numbers for 0 items" in words(client.get("/sharing").text)
    client.post("/sharing", data={**form, "percent": "100"}, headers={"Origin": BASE})

    agent = Agent(service.store, rules_of("mf", service.store.setting("seed"), 1.0))
    service.unrate("csv:3")  # Its row was learned and is now something that was not met.
    agent.dirty = True
    agent.flush()
    shown = service.recommend(10)
    assert [item.key for item in shown] == ["csv:3"]
    page = client.get("/")
    assert "<h3>Film 3</h3>" in page.text
    near = " and ".join(title.rpartition(" (")[0] for title in shown[0].because)
    assert f"Near to {near}, which you liked." in words(page.text)
    assert len(shown[0].because) == 2
    service.close()
