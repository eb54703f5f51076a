# Everything runs inside .venv, which is made from the pinned constraints.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.dev-installed
INSTALL := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: call test style types imports bench clean

call: $(STAMP)
	$(BIN)/rtc call

test: $(DEV_STAMP)
	$(BIN)/python -m pytest

style: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV_STAMP)
	$(BIN)/mypy

imports: $(DEV_STAMP)
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/rtc bench speed
	$(BIN)/rtc bench netem

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, this is %s; name one with make PYTHON=python3.11" % sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --editable .
	@touch $@

$(DEV_STAMP): $(STAMP)
	$(INSTALL) $$($(BIN)/python -c 'import tomllib; groups = tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]; print(*groups["tests"], *groups["typing"], *groups["lint"])')
	@touch $@

clean:
	rm -rf $(VENV)
