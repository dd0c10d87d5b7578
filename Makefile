# Everything starts here: `make help` lists the targets. The virtual environment .venv is made on demand.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PY     := $(BIN)/python
JOBS   ?= auto
ONLY   ?= tests

.DEFAULT_GOAL := help
.PHONY: help demo test stress update lint format gen bench clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.run ## Build and run examples/jobs.nxd
	@$(PY) -m nxdc run examples/jobs.nxd

test: $(VENV)/.test ## Run every test (ONLY=path or path::case for some of them)
	@$(PY) -m pytest -n $(JOBS) $(ONLY)

stress: $(VENV)/.test ## Run the scheduler's tests, and programs, with many more orders of the processes
	@NXD_STRESS=1 $(PY) -m pytest -n 1 tests/runtime tests/stress
	@NXD_TEST_SEEDS=8 $(PY) -m pytest -n $(JOBS) tests/lang

update: $(VENV)/.test ## Rewrite the recorded sections of tests/**/*.test, for review (ONLY=path for some)
	@$(PY) -m pytest -n 0 --update $(ONLY)

lint: $(VENV)/.dev ## Check style and types: ruff, mypy
	@$(BIN)/ruff check nxdc tests bench docs
	@$(BIN)/mypy nxdc tests/harness tests/fuzz

format: $(VENV)/.dev ## Let ruff lay out the Python files
	@$(BIN)/ruff format nxdc tests bench docs

gen: $(VENV)/.run ## Write the generated files anew: the C header, docs/prelude.md, words in editors/
	@$(PY) -m nxdc.tables.gen_header
	@$(PY) docs/gen_prelude.py
	@$(PY) editors/generate.py

bench: $(VENV)/.run ## Measure compile times and the benchmark programs
	@$(PY) bench/compile_speed.py
	@$(PY) bench/scale/measure.py
	@$(PY) bench/run.py

clean: ## Remove the virtual environment and what tests and tools left behind
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	find nxdc tests bench docs -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp for each set of packages: what `run` needs, what the tests add, what the style checks add.
$(VENV)/.run: pyproject.toml
	@sh tests/setup.sh "$(PYTHON)" "$(VENV)" ""

$(VENV)/.test: pyproject.toml
	@sh tests/setup.sh "$(PYTHON)" "$(VENV)" test

$(VENV)/.dev: pyproject.toml
	@sh tests/setup.sh "$(PYTHON)" "$(VENV)" test,dev
