"""A page to test: a real store, with a model's part played by fixed answers (learning has its own tests)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from starlette.testclient import TestClient

from tacit.node import first_setup
from tacit.node.service import Service
from tacit.node.store.records import Preview, Recommendation, Wish
from tacit.web.app import create_app
from tacit.web.gate import Keys

PORT = 8477
BASE = f"http://127.0.0.1:{PORT}"


class FixedService(Service):
    """Recommends and would send always the same."""

    def recommend(
        self, n: int = 10, person: str = "", wish: Wish | None = None, *, gap: float = 0.0
    ) -> list[Recommendation]:
        met = {rating.key for rating in self.ratings(person)}
        titles = [("Certified Pier", 2011), ("Winter <i>Signal</i>", 2012), ("Harbour Lights", 2013)]
        because = ["Night Ferry (2010)", "Salt Road (1998)"] if self.rating_store.count() else []
        found = [
            Recommendation(f"film:t:{title.lower().replace('<i>', '').replace('</i>', '')}:{year}",
                           f"{title} ({year})", 1.0, because)
            for title, year in titles
        ]  # fmt: skip
        return [item for item in found if item.key not in met and self.rating_store.count()][:n]

    def preview(self) -> Preview:
        return Preview(
            3, 1, 18_240, self.sharing().disclosure, [("Night Ferry", True), ("A", False), ("B", False)]
        )


class Real(Service):
    """Recommends what the rule says."""


class Browser(TestClient):
    """A signed-in browser that sends forms as the page's own."""

    keys: Keys
    service: Service

    def submit(self, path: str, files: dict[str, tuple[str, bytes]] | None = None, **fields: str):  # type: ignore[no-untyped-def]
        return self.post(
            path,
            data={"form_key": self.keys.form, **fields},
            files=files,
            headers={"Origin": f"http://{self.keys.host}"},
        )

    def text(self, path: str) -> str:
        """What a person reads on a page."""
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        return words(answer.text)


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def browser(
    folder: Path,
    *,
    welcomed: bool = True,
    cluster: bool = False,
    alone: bool = False,
    forget: Callable[[], None] | None = None,
    name: str = "",
    service: type[Service] = FixedService,
) -> Browser:
    first_setup.create(folder / "home", name="Ana", cluster=cluster, model="" if alone else "bpr")
    return page_of(service(folder / "home"), welcomed=welcomed, forget=forget, name=name)


def page_of(
    service: Service, *, welcomed: bool = True, forget: Callable[[], None] | None = None, name: str = ""
) -> Browser:
    """A signed-in browser on the page of a node."""
    if welcomed:
        service.store.set(welcomed=True)
    keys = Keys(port=PORT, name=name)
    client = Browser(create_app(service, keys, forget), base_url=f"http://{keys.host}")
    client.keys, client.service = keys, service
    answer = client.get(f"/?token={keys.token}")
    assert answer.status_code == 200
    return client
