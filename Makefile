# demo, test and the rest set up what they need in .venv, once, and again only when pyproject.toml changes.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin

.PHONY: demo test test-slow test-oracles check format bench bench-full clean

demo: .venv/.user
	$(BIN)/runout solve

test: .venv/.dev
	$(BIN)/pytest -rs

test-slow: .venv/.dev
	$(BIN)/pytest -m slow

# Replays every playouts_*.jsonl.gz of a folder through the betting engine, one hand at a time and all at once.
ORACLES ?= tests/data
test-oracles: .venv/.dev
	ORACLES='$(abspath $(ORACLES))' $(BIN)/pytest tests/games/test_playouts.py tests/games/test_holdem_batch.py

check: .venv/.dev
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy

format: .venv/.dev
	$(BIN)/ruff check --fix src tests benchmarks
	$(BIN)/ruff format src tests benchmarks

bench: .venv/.dev
	$(BIN)/python -m benchmarks

bench-full: .venv/.dev
	$(BIN)/python -m benchmarks --full

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find . -name '*.egg-info' -type d -prune -exec rm -rf {} +

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.user: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/.dev: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[dev,openspiel,logging]'
	@touch .venv/.user $@
