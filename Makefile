# Everything a newcomer needs: uv and the environment are set up by whatever is asked for first.
SHELL := /bin/bash
UV := $(shell command -v uv 2>/dev/null || echo .tools/bin/uv)
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help run demo test test-stack lint format dashboards env up down logs ps clean

help:  ## What there is to make
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

run: $(READY)  ## Everything in one process on http://127.0.0.1:8000; data in .palimpsest/
	@$(BIN)/palimpsest run

demo: $(READY)  ## A bundled conversation, remembered and recalled, in under a minute
	@$(BIN)/palimpsest demo

test: $(READY)  ## Everything that needs no outside server
	$(BIN)/pytest --ignore=tests/stack --numprocesses auto --maxprocesses 4 --dist loadfile

test-stack: $(READY)  ## The pipeline and faults on a real Apache Kafka; says what could not be run
	$(BIN)/pytest tests/stack -rs

dashboards: $(READY)  ## Every panel and alert asked of a real Prometheus under load; pictures of the dashboards
	$(BIN)/python -m deploy.grafana.check --pictures deploy/images

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

lint: $(READY)  ## ruff, mypy strict, import-linter
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)  ## Put the code into shape
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:  ## Remove what was made, but for your data in .palimpsest/
	rm -rf .venv .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(READY): uv.lock pyproject.toml libs/pyproject.toml | $(UV)
	UV_PROJECT_ENVIRONMENT=.venv UV_PYTHON=$(PYTHON) $(UV) sync --all-extras --frozen --compile-bytecode
	@touch $@

# Where uv is on the PATH, its file stands and this is never made.
.tools/bin/uv:
	$(PYTHON) -m venv .tools
	.tools/bin/python -m pip install --quiet uv
