# Hive-Mind. The two commands most people need: `make run` and `make test`.
# Everything is installed into .venv from the hash-checked locks; see packaging/environment.sh.

SHELL := /bin/sh
PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
# Builds the search model once; without a network it says so in one line and the app searches by keyword.
MODEL := $(BIN)/python packaging/models/provide.py
export PYTHON

# A display is there when one is named, or on a system whose windows need no such name (macOS).
HAS_DISPLAY := $(if $(DISPLAY)$(WAYLAND_DISPLAY),yes,$(if $(filter Linux,$(shell uname -s)),,yes))

.PHONY: help run test check bench soak bundle bundle-selftest lock clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 25

run: ## install what is missing and start the app; without a display, walk one import offscreen
	@./packaging/environment.sh run
	@$(MODEL)
ifeq ($(HAS_DISPLAY),yes)
	@$(BIN)/python -m hivemind_desktop
else
	@echo "hive-mind: no display found, so the same errand runs offscreen on a sample export"
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m hivemind_desktop.demo
endif

test: ## all tests, offscreen (the long campaigns are in `make soak`)
	@./packaging/environment.sh dev
	@$(MODEL)
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n 2 --dist loadfile $(PYTEST_ARGS)

check: ## style, types and import contracts
	@./packaging/environment.sh dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: ## every benchmark, one JSON document per line
	@./packaging/environment.sh dev
	@$(MODEL)
	@set -e; for script in $$(grep -lE '^(from|import) measuring' benchmarks/*.py); do \
		echo "hive-mind: $$script" >&2; \
		QT_QPA_PLATFORM=offscreen $(BIN)/python "$$script" --json; \
	done

soak: ## long campaigns: kill, fuzz, power cut (takes much longer than `make test`)
	@./packaging/environment.sh dev
	@$(MODEL)
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m soak tests/soak $(PYTEST_ARGS)

bundle: ## freeze the window and the command line into dist/hive-mind, with everything they need
	@./packaging/environment.sh run
	@$(MODEL) --strict
	@./packaging/bundle.sh

# ROOT=DIR runs it in a bare Debian that is made there (root and debootstrap are needed): no network, no Python.
bundle-selftest: ## try the bundle that `make bundle` made; ROOT=DIR: in a bare system without a network
ifneq ($(ROOT),)
	@./packaging/bare-root.sh $(ROOT)
endif
	@$(BIN)/python packaging/bundle/trial.py $(if $(ROOT),--root $(ROOT))

lock: ## write the locks anew from the ranges in pyproject.toml (needs the network)
	@./packaging/lock.sh

clean: ## remove .venv, caches and build output; never a mind
	rm -rf $(VENV) build dist run-output .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	rm -rf *.egg-info core/*.egg-info desktop/*.egg-info
	find core desktop tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
