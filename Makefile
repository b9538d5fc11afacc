# All set-up is done here: every target but `lock` first makes .venv from the locked requirements.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: install serve test check golden schema lock long

install: $(STAMP)

$(STAMP): requirements.txt pyproject.toml
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(STAMP)

serve: install
	$(BIN)/sanctum serve

# Two processes, a file in one of them: most of the time is waiting for other processes.
test: install
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# All matches of the contract suite, 10,000 a game: about half an hour a game.
long: install
	$(BIN)/python -m pytest tests/engines/test_every_game.py --long

# Renew what is generated: golden playthroughs, and the schemas of docs/protocol.
golden: install
	$(BIN)/python scripts/golden.py

schema: install
	$(BIN)/python -m protocol.schema docs/protocol

# For every Python from 3.11 on and every platform, with hashes, naming no registry.
lock: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --all-extras --no-header \
	  --no-emit-index-url --output-file requirements.txt pyproject.toml
