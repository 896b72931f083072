# demo, test and the rest set up what they need in .venv, once, and again only when pyproject.toml changes.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin

.PHONY: demo test test-slow test-oracles torture coverage check format docs dist bench bench-full clean

demo: .venv/.user
	$(BIN)/runout solve

# PYTEST: more arguments, as in make test PYTEST='-x tests/games'. A file's tests run one after the other in one process,
# which shares what they have set up.
SIDE_BY_SIDE := -n auto --maxprocesses 4 --dist loadfile --durations 20

# Compiled first: else every process of the tests would compile the same.
test: .venv/.dev
	$(BIN)/runout warm
	$(BIN)/pytest -rsR $(SIDE_BY_SIDE) $(PYTEST)

test-slow: .venv/.dev
	$(BIN)/pytest -rsR -m slow $(SIDE_BY_SIDE) $(PYTEST)

# Replays every playouts_*.jsonl.gz of a folder through the betting engine, one hand at a time and all at once.
ORACLES ?= tests/data
test-oracles: .venv/.dev
	ORACLES='$(abspath $(ORACLES))' $(BIN)/pytest tests/games/test_playouts.py tests/games/test_holdem_batch.py

# The tests, and which share of each layer's lines they run. What Numba compiles cannot be seen.
coverage:
	$(MAKE) test PYTEST='--cov --cov-report='
	$(BIN)/python .ci/coverage_by_layer.py

CODE := src tests benchmarks examples

# Kills, damages, crafted files, fuzzed calls, two writers, full disks (as root), strangers at the server; a table at the end.
TORTURE ?= --seconds 900 --seed 1
torture: .venv/.dev
	$(BIN)/python -m torture $(TORTURE)

check: .venv/.dev
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy
	$(BIN)/python .ci/typed_share.py

format: .venv/.dev
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

# The pages of docs/ with an API reference, in build/site; loads nothing from other hosts.
docs: .venv/.dev
	$(BIN)/python -m mkdocs build --strict

# A source archive, and a wheel made from it, in dist/.
dist: .venv/.dev
	rm -rf dist
	$(BIN)/python -m build --no-isolation

bench: .venv/.dev
	$(BIN)/python -m benchmarks

bench-full: .venv/.dev
	$(BIN)/python -m benchmarks --full

clean:
	rm -rf .venv build dist .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find . -name '*.egg-info' -type d -prune -exec rm -rf {} +

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.user: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/.dev: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[dev,docs,openspiel,logging,cluster]'
	@touch .venv/.user $@
