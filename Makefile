# Everything a newcomer needs: uv and the environment are set up by whatever is asked for first.
SHELL := /bin/bash
UV := $(shell command -v uv 2>/dev/null || echo .tools/bin/uv)
UVX = $(UV) tool run
PYTHON ?= python3
# Where none is named, uv takes the first that will do, and fetches one where none does.
NAMED_PYTHON = $(if $(filter file,$(origin PYTHON)),,UV_PYTHON=$(PYTHON))
BIN := .venv/bin
READY := .venv/.ready
NATIVE_ROOT ?= .venv
NATIVE_DATABASE = $(NATIVE_ROOT)/bin/secantusd-rs
PICTURES = deploy/images
TYPESCRIPT = libs/typescript
# An environment of its own, which uv keeps: what drives a browser is needed by nothing else.
WITH_BROWSER = UV_PROJECT_ENVIRONMENT=.venv $(UV) run --isolated --frozen --all-extras --group browser

.DEFAULT_GOAL := help
.PHONY: help run demo native-database test test-browser screenshots test-stack test-model test-langgraph test-native lint format faults fuzz audit sbom test-typescript typescript-types vendor-patterns dashboards env up down logs ps clean

help:  ## What there is to make
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 17

run: $(READY)  ## Everything in one process on http://127.0.0.1:8000; data in .palimpsest/
	@$(BIN)/palimpsest run

demo: $(READY)  ## A bundled conversation, remembered and recalled, in under a minute
	@$(BIN)/palimpsest demo

native-database: $(NATIVE_DATABASE)  ## The embedded database as a native program: some minutes with cargo, then used by itself

# Four at a time on two cores, because some of a test is waiting for servers; they are forks of
# one process, which has loaded all tests. The longest begin first, so that none of them is left
# for the end.
# Compiled code is kept, whatever the environment says of it (images of Python say not to):
# else each run compiles all tests anew, and each process of theirs all of Palimpsest.
test: $(READY)  ## Everything that needs no outside server
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest tests/journeys tests --ignore=tests/stack --ignore=tests/browser --numprocesses 4

test-browser: $(READY)  ## The page in Chromium: each of its jobs, in both languages, on a phone and a desk
	$(WITH_BROWSER) pytest tests/browser -rs

screenshots: $(READY)  ## Every view in both languages and themes, into .screenshots/
	$(WITH_BROWSER) python -m tests.browser.screenshots $(if $(VIEW),--view $(VIEW))

test-stack: $(READY)  ## The pipeline and faults on a real Apache Kafka; says what could not be run
	$(BIN)/pytest tests/stack --ignore=tests/stack/test_small_model.py --ignore=tests/stack/test_langgraph_stores.py --numprocesses 2 -rs

test-model: $(READY)  ## A real small model behind an OpenAI-compatible server; fetches 200 MB, for itself alone
	UV_PROJECT_ENVIRONMENT=.venv $(UV) run --isolated --frozen --all-extras --group model pytest tests/stack/test_small_model.py -rs

test-langgraph: $(READY)  ## LangGraph's own tests of stores on ours; fetches its sources, which hold them
	UV_PROJECT_ENVIRONMENT=.venv $(UV) run --isolated --frozen --all-extras --group langgraph pytest tests/stack/test_langgraph_stores.py -rs

faults: $(READY)  ## Kills, stalls, full disks, poison; SEEDS=1,2,3, SHORT=1 in four minutes, CHILDREN=1, CHILD=broker, JSON=1
	@$(BIN)/python -m tests.faults --seeds $(or $(SEEDS),1) $(if $(SHORT),--short) $(if $(CHILDREN),--children) $(if $(CHILD),--child $(CHILD)) $(if $(JSON),--json)

fuzz: $(READY)  ## 2,000 requests made from the API's description, none of which may end in a 500; CASES=2000, SEED=1
	CASES=$(or $(CASES),2000) SEED=$(or $(SEED),1) $(BIN)/pytest -s tests/journeys/fuzz_api.py

audit: $(READY)  ## Known vulnerabilities of everything that is installed, by the registry's advisories
	$(UV) export --quiet --frozen --all-extras --no-dev --no-emit-workspace --output-file .requirements.txt
	$(UVX) pip-audit==2.10.1 --requirement .requirements.txt --require-hashes --disable-pip --strict

sbom: $(READY)  ## A CycloneDX list of all that the image is made of, into sbom.json
	$(UV) export --quiet --frozen --all-extras --no-dev --no-emit-workspace --output-file .requirements.txt
	$(UVX) --from cyclonedx-bom==7.5.0 cyclonedx-py requirements .requirements.txt --output-file sbom.json

typescript-types: $(READY) $(TYPESCRIPT)/node_modules/.ready  ## The types of the TypeScript client, from the description of the API; needs Node
	$(BIN)/python -m palimpsest_lab.typescript_types

vendor-patterns: $(READY)  ## Forms of vendors' keys from VERSION of their collection; needs cargo
	$(BIN)/python -m palimpsest_lab.vendor_patterns $(VERSION)

dashboards: $(READY)  ## Every panel and alert asked of a real Prometheus under load; pictures of the dashboards
	$(BIN)/python -m deploy.grafana.check $(if $(PICTURES),--pictures $(PICTURES))

env:  ## Passwords for docker-compose.yml into .env; what stands there is kept
	@$(PYTHON) deploy/local/env.py

up: env  ## Kafka, MongoDB, Qdrant, the services, Prometheus and Grafana in Docker
	docker compose up --detach --build --wait

down:  ## Stop them; their data stays
	docker compose down

logs:  ## What they say
	docker compose logs --follow --tail 100

ps:  ## Which of them run, and how they are
	docker compose ps --all

test-native: $(READY) $(NATIVE_DATABASE)  ## Stores, pipeline and embedded mode once more, on the native database
	PATH="$(abspath $(NATIVE_ROOT))/bin:$$PATH" $(BIN)/pytest tests/server/embedded tests/server/stores tests/journeys -m embedded --numprocesses 3

test-typescript: $(READY) $(TYPESCRIPT)/node_modules/.ready  ## The TypeScript client on a Palimpsest of its own; needs Node
	cd $(TYPESCRIPT) && PALIMPSEST=$(CURDIR)/$(BIN)/palimpsest npm test

lint: $(READY)  ## ruff, mypy strict, import-linter
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)  ## Put the code into shape
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:  ## Remove what was made, but for your data in .palimpsest/
	rm -rf $(addprefix $(TYPESCRIPT)/,node_modules dist build) .requirements.txt sbom.json .native .venv .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(READY): uv.lock pyproject.toml $(wildcard libs/*/pyproject.toml) | $(UV)
	UV_PROJECT_ENVIRONMENT=.venv $(NAMED_PYTHON) $(UV) sync --all-extras --frozen --compile-bytecode
	@touch $@

$(TYPESCRIPT)/node_modules/.ready: $(TYPESCRIPT)/package-lock.json
	cd $(TYPESCRIPT) && npm ci --no-audit --no-fund
	@touch $@

# Its own word on the compiler is stricter than need be: 1.95 builds it.
$(NATIVE_DATABASE): | $(READY)
	cargo install secantus-mdb --version 0.5.3-beta.193 --locked --ignore-rust-version --root $(NATIVE_ROOT)

# Where uv is on the PATH, its file stands and this is never made.
.tools/bin/uv:
	$(PYTHON) -m venv .tools
	.tools/bin/python -m pip install --quiet uv
