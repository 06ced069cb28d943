# Everything a host or a developer runs. `make help` lists it.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
BIN := .venv/bin
RUN_STAMP := .venv/.run-$(shell cksum requirements.txt | tr ' ' '-')
DEV_STAMP := .venv/.dev-$(shell cksum requirements-dev.txt | tr ' ' '-')
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
# More than there are cores: tests mostly wait, for sockets, disks and pages.
TEST_WORKERS ?= 3

.PHONY: help run dev test test-fast check faults bench messages lock programs

help: ## list these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{ printf "  make %-10s %s\n", $$1, $$2 }'

run: $(RUN_STAMP) ## serve the house on port 8000 (the first time: install everything)
	@exec $(BIN)/python -m app serve

dev: $(DEV_STAMP) ## the same, starting again whenever a file changes
	@exec $(BIN)/watchfiles --sigint-timeout 15 '$(BIN)/python -m app serve' app templates static locales

test: $(DEV_STAMP) programs ## all tests but the long ones
	$(BIN)/pytest -n $(TEST_WORKERS) -m "not faults"

test-fast: $(DEV_STAMP) ## the tests that need no browser, no servers of their own and no patience
	$(BIN)/pytest -n $(TEST_WORKERS) -m "not faults and not browser and not servers"

faults: $(DEV_STAMP) programs ## the long tests: every fault at every point
	$(BIN)/pytest -n $(TEST_WORKERS) -m faults

check: $(DEV_STAMP) ## format, lint, types, imports, templates
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/djlint --lint --quiet templates

bench: $(DEV_STAMP) ## measure everything in one run (PEERS_DIR: with others); see bench/README.md
	$(BIN)/python -m bench --out build/bench.md

messages: $(DEV_STAMP) ## collect all texts for translation and bring the catalogues up to date
	$(BIN)/python -m app.web.messages

LOCK := build/lock/bin/pip-compile --quiet --upgrade --generate-hashes --strip-extras --no-annotate \
	--no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options

lock: ## choose the newest versions of all dependencies and write them down with their hashes
	$(PYTHON) -m venv build/lock
	build/lock/bin/pip install --quiet --upgrade pip-tools
	$(LOCK) -o requirements.txt pyproject.toml
	$(LOCK) -o requirements-dev.txt --extra dev -c requirements.txt pyproject.toml

programs:
	@bash tests/programs.sh

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Motherlode needs Python 3.11 or newer; name one as in: make run PYTHON=python3.13"; exit 1; }
	@$(PYTHON) -m venv .venv || \
		{ rm -rf .venv; echo "Python lacks its venv module; on Debian: apt-get install python3-venv"; exit 1; }

# A stamp names the lock it was installed from: after a change of the lock it is another file.
$(RUN_STAMP): | .venv/bin/python
	@echo "Installing what the house needs ..."
	@$(PIP_INSTALL) -r requirements.txt
	@rm -f .venv/.run-* && touch $@

$(DEV_STAMP): | .venv/bin/python
	@echo "Installing what the house and its tests need ..."
	@$(PIP_INSTALL) -r requirements-dev.txt
	@rm -f .venv/.run-* .venv/.dev-* && touch $@ $(RUN_STAMP)
