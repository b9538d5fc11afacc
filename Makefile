# All set-up is done here: every target but `lock` first makes .venv from the locked requirements.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: install serve test check golden schema lock long soak

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

# Matches under kills, cut lines, failovers and mixed releases; the last line is one JSON object. OTHER: a commit.
soak: SECONDS ?= 300
soak: install
	$(BIN)/python -m tests.e2e.soak --seconds $(SECONDS) $(if $(OTHER),--other $(OTHER))

# Renew what is generated: golden playthroughs, and the schemas of docs/protocol.
golden: install
	$(BIN)/python scripts/golden.py

schema: install
	$(BIN)/python -m protocol.schema docs/protocol

# For every Python from 3.11 on and every platform, with hashes, naming no registry: all tools, and what runs alone.
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url
lock: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(COMPILE) --all-extras --output-file requirements.txt pyproject.toml
	$(COMPILE) --constraint requirements.txt --output-file requirements-run.txt pyproject.toml
