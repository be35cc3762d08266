"""The tutorial for researchers, run as Jupyter runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import DOCS

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")


def test_it_ends_with_a_figure_and_a_table(tmp_path: Path) -> None:
    notebook = nbformat.read(DOCS / "guide" / "tutorial.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in code), "kept without what it printed: the site runs it"
    lines = [line for cell in code for line in cell.source.splitlines() if line.strip()]
    assert len(lines) < 40, "somebody should read it in five minutes"

    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    figure, table = code[-2].outputs[0].data, code[-1].outputs[0].text
    assert "<svg" in figure["text/html"]
    assert (tmp_path / "curve.pdf").stat().st_size > 1000
    assert r"\toprule" in table
    assert all(arm in table for arm in ("gossip", "federated"))
    assert "ended by a callback" in code[1].outputs[0].data["text/plain"]
